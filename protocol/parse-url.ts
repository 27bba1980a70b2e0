/**
 * Parses a URL (WHATWG); null if it is not one. In place of URL.canParse, which in Node 20 rejects letters such as ü after some
 * thousand calls, and URL.parse, which it does not have.
 */
export function parseUrl(text: string, base?: string): URL | null {
  try {
    return new URL(text, base);
  } catch {
    return null;
  }
}
