// The page of a translation service. It translates as one types, through the API of the service
// itself: GET languages, GET frontend/settings and POST translate, relative to the page's address.
// The page has three files, because its Content-Security-Policy forbids scripts and styles within
// the document and from other places.
#pragma once

#include <string>
#include <string_view>

namespace tfm {

/// Returns the document, which loads page.css and page.js.
std::string translate_page_html();
/// Returns page.css.
std::string translate_page_style();
/// Returns page.js.
std::string translate_page_script();

/// The value of the header Content-Security-Policy for the document.
inline constexpr std::string_view translate_page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

}  // namespace tfm
