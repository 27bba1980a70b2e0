/** HTML that is safe to send. */
export interface Html {
  readonly html: string;
}

type Value = Html | readonly Html[] | string | number | null;

/** A template of HTML. Text in it is escaped; null is left out. */
export const html = (parts: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  html: parts.map((part, index) => part + rendered(values[index] ?? null)).join(''),
});

function rendered(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value));
  return 'html' in value ? value.html : value.map((each) => each.html).join('');
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');
