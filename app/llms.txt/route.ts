import { messagesIn } from '../../messages/messages.ts';
import { getContext } from '../../server/http/context.ts';

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

- [Help](${url}/help): questions and answers about keys, guardians and consents
- [Explorer](${url}/explore): look up an identity, an institution, a consent or an entry, and check it
- [Privacy](${url}/privacy): what is public, what is private, what can be erased
- [Terms](${url}/terms): the terms of use
- [Contact](${url}/contact): who operates this server

## API

- [API reference](${url}/developers): signing, every request, every error code, known pitfalls, guides
- [OpenAPI document](${url}/api/openapi.json): the same for programs
- [Ledger head](${url}/api/ledger): the ledger's id, the relayer's public key and the newest entry
- [Entries](${url}/api/ledger/entries): the signed entries, oldest first
- [Script to check a proof](${url}/check-proof.mjs): needs only Node.js
- [Readiness](${url}/ready): whether the service accepts writes
`;
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' };
  return new Response(text, { headers });
}
