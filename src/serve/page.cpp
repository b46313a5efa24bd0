#include "page.h"

#include <utility>

#include "tfm/pages/attention.h"
#include "tfm/pages/translate_page.h"

namespace tfm {
namespace {

HttpReply file_reply(std::string text, const std::string& content_type) {
  return {.body = std::move(text),
          .content_type = content_type + "; charset=utf-8",
          .headers = {{"Content-Security-Policy", std::string(translate_page_policy)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cache-Control", "no-cache"}}};
}

}  // namespace

HttpReply page_html_reply() { return file_reply(translate_page_html(), "text/html"); }

HttpReply page_style_reply() { return file_reply(translate_page_style(), "text/css"); }

HttpReply page_script_reply() { return file_reply(translate_page_script(), "text/javascript"); }

HttpReply attention_html_reply() { return file_reply(attention_page_html(), "text/html"); }

HttpReply attention_style_reply() { return file_reply(attention_page_style(), "text/css"); }

HttpReply attention_request_script_reply() {
  return file_reply(attention_page_request_script(), "text/javascript");
}

HttpReply attention_script_reply() {
  return file_reply(attention_page_script(), "text/javascript");
}

}  // namespace tfm
