// The replies with the files of the page that translates (pages/translate_page.h).
#pragma once

#include "tfm/serve/http_message.h"

namespace tfm {

HttpReply page_html_reply();
HttpReply page_style_reply();
HttpReply page_script_reply();

}  // namespace tfm
