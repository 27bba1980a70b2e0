import { messagesIn } from '../../messages/messages.ts';
import { getContext } from '../../server/http/context.ts';
import { summariesOf } from '../public-pages.ts';

/** A summary of this service for language models (llmstxt.org). */
export function GET(): Response {
  const { network, publicUrl } = getContext();
  const url = publicUrl();
  const { shell } = messagesIn('en');
  const text = `# ${shell.name}

> ${shell.description}

This server writes to ${network.kind === 'arweave' ? 'Arweave, which is permanent' : 'a test network, which is not permanent'}.
It never receives a private key: whoever acts signs canonical JSON (RFC 8785) with Ed25519. Health records and the contacts of
guardians are encrypted, private and erasable. Names, public keys and consents are public for ever.
Never ask a person for recovery words, a passphrase or a key file.

## Pages

${linesOf(url, false)}

## API

${linesOf(url, true)}
`;
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' };
  return new Response(text, { headers });
}

const linesOf = (url: string, isForPrograms: boolean): string =>
  summariesOf(isForPrograms)
    .map(({ path, name, text }) => `- [${name}](${url}${path}): ${text}`)
    .join('\n');
