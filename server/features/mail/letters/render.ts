import type { Language } from '../../../../messages/languages.ts';
import { escapedMarkup } from '../../../../protocol/escaped-markup.ts';
import type { Block, Letter } from './letter.ts';

const SIGNATURE = 'Perpetua';

/** Renders a letter as plain text, one line per paragraph; the reader's program wraps it. */
export function asText({ greeting, blocks, reason, unsubscribe }: Letter, homeUrl: string): string {
  const paragraphs = blocks.map((block) => (block.is === 'link' ? asLines(block) : block.text));
  return `${[greeting, ...paragraphs, reason, asLines(unsubscribe), `${SIGNATURE}\n${homeUrl}`].join('\n\n')}\n`;
}

const asLines = ({ label, url }: { label: string; url: string }): string => `${label}:\n${url}`;

/** Renders a letter as HTML. It loads nothing, and keeps the reader's colours except for the button and the border. */
export function asHtml(letter: Letter, homeUrl: string, language: Language): string {
  const { subject, greeting, blocks, reason, unsubscribe } = letter;
  return `<!DOCTYPE html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${escapedMarkup(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .button { background: #63c9ba !important; color: #04211d !important; }
  .important { border-color: #c2913a !important; }
}
</style>
</head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:17px;line-height:1.55">
<div style="max-width:36em;margin:0 auto">
${[paragraph(greeting), ...blocks.map(blockAsHtml)].join('\n')}
<hr style="border:0;border-top:1px solid #7c8d88;margin:32px 0 16px">
<p style="margin:0 0 8px;font-size:14px">${escapedMarkup(reason)}</p>
<p style="margin:0 0 8px;font-size:14px"><a href="${escapedMarkup(unsubscribe.url)}" style="color:inherit">${escapedMarkup(unsubscribe.label)}</a></p>
<p style="margin:0;font-size:14px">${SIGNATURE}, <a href="${escapedMarkup(homeUrl)}" style="color:inherit">${escapedMarkup(homeUrl)}</a></p>
</div>
</body>
</html>
`;
}

function blockAsHtml(block: Block): string {
  switch (block.is) {
    case 'text':
      return paragraph(block.text);
    case 'important':
      return `<p class="important" style="margin:0 0 16px;padding:2px 0 2px 14px;border-left:4px solid #a86a00;font-weight:600">${escapedMarkup(block.text)}</p>`;
    case 'link': {
      const url = escapedMarkup(block.url);
      return `<p style="margin:24px 0 12px"><a class="button" href="${url}" style="display:inline-block;padding:12px 20px;border-radius:8px;background:#0b5b54;color:#ffffff;font-weight:600;text-decoration:none">${escapedMarkup(block.label)}</a></p>
<p style="margin:0 0 16px;font-size:14px;word-break:break-all">${url}</p>`;
    }
  }
}

const paragraph = (words: string): string => `<p style="margin:0 0 16px">${escapedMarkup(words)}</p>`;
