/* Raised letters, which mark a number in plain text.
 * SPDX-License-Identifier: MIT */
#include "raised.h"

static const struct {
    int32_t code;
    char text[4];
} letters[26] = {
    {0x1d43, "ᵃ"}, {0x1d47, "ᵇ"}, {0x1d9c, "ᶜ"}, {0x1d48, "ᵈ"}, {0x1d49, "ᵉ"}, {0x1da0, "ᶠ"}, {0x1d4d, "ᵍ"},
    {0x02b0, "ʰ"}, {0x2071, "ⁱ"}, {0x02b2, "ʲ"}, {0x1d4f, "ᵏ"}, {0x02e1, "ˡ"}, {0x1d50, "ᵐ"}, {0x207f, "ⁿ"},
    {0x1d52, "ᵒ"}, {0x1d56, "ᵖ"}, {0, ""},       {0x02b3, "ʳ"}, {0x02e2, "ˢ"}, {0x1d57, "ᵗ"}, {0x1d58, "ᵘ"},
    {0x1d5b, "ᵛ"}, {0x02b7, "ʷ"}, {0x02e3, "ˣ"}, {0x02b8, "ʸ"}, {0x1dbb, "ᶻ"},
};

const char *raised(char letter)
{
    return letter >= 'a' && letter <= 'z' ? letters[letter - 'a'].text : "";
}

char raised_letter(int32_t code)
{
    for (int i = 0; i < 26; i++)
        if (letters[i].code == code)
            return (char)('a' + i);
    return '\0';
}
