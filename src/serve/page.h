// The replies with the files of the page that translates (pages/translate_page.h), and of the page
// that shows attention (pages/attention.h).
#pragma once

#include "tfm/serve/http_message.h"

namespace tfm {

HttpReply page_html_reply();
HttpReply page_style_reply();
HttpReply page_script_reply();

HttpReply attention_html_reply();
HttpReply attention_style_reply();
HttpReply attention_request_script_reply();
HttpReply attention_script_reply();

}  // namespace tfm
