import type { Metadata } from 'next';
import { canonicalJson } from '../../protocol/signing/canonical-json.ts';
import { getContext } from '../../server/http/context.ts';
import { LIMIT_GROUPS, LIMIT_WINDOW_SECONDS } from '../../server/http/limits/groups.ts';
import { describedApi } from '../../server/http/openapi/described.ts';
import { TAG_DESCRIPTIONS } from '../../server/http/openapi/tags.ts';
import { LocalLink } from '../_ui/local-link.tsx';
import { publicMetadata } from '../_ui/page-metadata.ts';
import { textLink } from '../_ui/text-link.ts';
import { byHand } from './by-hand.ts';
import { Code, Text } from './code.tsx';
import { GUIDES } from './guides/guides.ts';
import { OperationList } from './operation-list.tsx';
import { Pitfalls, Section } from './section.tsx';

const TITLE = 'API reference';
const LEAD =
  'JSON over HTTP. Every write is an operation that its author signs with an Ed25519 key; reads of public state need no signature.';

export const metadata: Metadata = publicMetadata(TITLE, LEAD);

const CONTENTS = [
  ['start', 'Getting started'],
  ['signing', 'Signing a request'],
  ['by-hand', 'By hand in 15 lines'],
  ['client', 'TypeScript and Python'],
  ['events', 'Events, webhooks and agents'],
  ['guides', 'Guides'],
  ['limits', 'Rate limits'],
  ['pitfalls', 'Known pitfalls'],
  ['requests', 'All requests'],
] as const;

/** The first page of the API reference. */
export default function DevelopersPage() {
  const { publicUrl, ledgerId, network } = getContext();
  const url = publicUrl();
  const { operations } = describedApi();
  const { signature = '', ...signed } = operations.find(({ id }) => id === 'createBEO')?.example ?? {};
  const facts = [
    ['Base URL', url],
    ['Ledger id', ledgerId],
    [
      'Network',
      network.kind === 'arweave'
        ? 'Arweave: entries are public and permanent'
        : 'Test network: nothing here is permanent',
    ],
  ] as const;
  return (
    <>
      <h1>{TITLE}</h1>
      <p className="mt-4 max-w-prose text-lg text-muted">{LEAD}</p>
      <nav aria-label="On this page" className="mt-6">
        <ul className="columns-1 gap-x-8 sm:max-w-prose sm:columns-2">
          {CONTENTS.map(([id, name]) => (
            <li key={id}>
              <a href={`#${id}`} className={`${textLink} inline-block py-2`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>

      <Section id="start" title="Getting started">
        <dl className="grid gap-x-8 sm:grid-cols-[max-content_1fr]">
          {facts.map(([name, value]) => (
            <div key={name} className="grid border-t border-line py-2 sm:col-span-2 sm:grid-cols-subgrid">
              <dt className="text-sm text-muted">{name}</dt>
              <dd className="wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
        <ol className="mt-4 list-decimal space-y-2 pl-6">
          <li>Create an Ed25519 key. It never leaves your system, and nobody can restore it: keep a backup.</li>
          <li>
            <Text>{'Read `ledger_id` of `GET /api/ledger`, and sign it with every request as `ledgerId`.'}</Text>
          </li>
          <li>
            Register an{' '}
            <LocalLink href="/developers/createIEO" className={textLink}>
              institution
            </LocalLink>
            , or create the{' '}
            <LocalLink href="/developers/createBEO" className={textLink}>
              identity of a person
            </LocalLink>
            .
          </li>
          <li>
            <Text>
              {
                'Store `transactionId` and `receipt` of each response: the receipt is the ledger entry, signed by the relayer, and proves that the operation was accepted.'
              }
            </Text>
          </li>
        </ol>
        <p className="mt-4">
          The{' '}
          <a href="/api/openapi.json" className={textLink}>
            OpenAPI 3.1 document
          </a>{' '}
          describes every request for programs. It is generated from the same tables as these pages.
        </p>
      </Section>

      <Section id="signing" title="Signing a request">
        <p>
          <Text>
            {
              'The message is the canonical JSON (RFC 8785: members sorted at every depth, no white space) of `function`, the fields, `nonce`, `timestamp` and, if sent, `ledgerId`. Sign its UTF-8 bytes with Ed25519 (RFC 8032, not pre-hashed). Send the same members without `function`, and the 64 bytes of the signature in base64 as `signature`.'
            }
          </Text>
        </p>
        <ul className="mt-3 mb-4 list-disc space-y-1 pl-6">
          <li>
            <Text>{'`nonce`: 16 to 128 random characters, new for every request.'}</Text>
          </li>
          <li>
            <Text>{'`timestamp`: ISO 8601 with a zone, at most 5 minutes old and 30 seconds ahead.'}</Text>
          </li>
          <li>A public key is its 32 bytes in hex: 64 characters.</li>
        </ul>
        <div className="space-y-4">
          <Code
            label="A canonical message of the test vectors"
            code={canonicalJson({ function: 'createBEO', ...signed })}
            wrap
          />
          <Code label="Its signature" code={String(signature)} wrap />
        </div>
        <p className="mt-4">
          Your message is different?{' '}
          <LocalLink href="/developers/signature" className={textLink}>
            Check a signature
          </LocalLink>{' '}
          shows the first byte that differs.
        </p>
      </Section>

      <Section id="by-hand" title="By hand in 15 lines">
        <p className="mb-4">
          <Text>
            {
              'This program creates an identity with Node.js and no package. Save it as `create.mjs` and run `node create.mjs`. Its canonical form is enough for flat messages only; nested objects must be sorted too.'
            }
          </Text>
        </p>
        <Code label="create.mjs" code={byHand(url)} />
      </Section>

      <Section id="client" title="TypeScript and Python">
        <p>
          <Text>
            {
              '`@perpetua/client` has a method for each operation and read. It signs what it sends, repeats safely, verifies receipts, events and webhooks, and runs in Node.js 20 or later, browsers and workers. '
            }
          </Text>
          <LocalLink href="/developers/guides/client" className={textLink}>
            How to install and use it
          </LocalLink>
        </p>
        <p className="mt-3">
          For Python 3.9 or later, download{' '}
          <a href="/developers/files/perpetua.py" className={textLink}>
            perpetua.py
          </a>
          <Text>{'; it needs the package `cryptography`. '}</Text>
          <a href="/developers/files/sign_everything.py" className={textLink}>
            sign_everything.py
          </a>{' '}
          sends every kind of request with it.
        </p>
      </Section>

      <Section id="events" title="Events, webhooks and agents">
        <p>
          An institution reads{' '}
          <LocalLink href="/developers/readEvents" className={textLink}>
            its events
          </LocalLink>{' '}
          with a cursor: consents granted, revoked and expired, identities locked, keys replaced. They are derived from
          the ledger, so none is missed.{' '}
          <Text>
            {
              'A webhook delivers the same events in order (Standard Webhooks, `v1a`), at least once: `webhook-id` is the id of the event. Set `webhookUrl` with '
            }
          </Text>
          <LocalLink href="/developers/updateIEOContacts" className={textLink}>
            updateIEOContacts
          </LocalLink>
          <Text>{', and verify deliveries with the keys at `/.well-known/webhook-key`. '}</Text>
          <LocalLink href="/developers/guides/events" className={textLink}>
            Types of events and rules of delivery
          </LocalLink>
        </p>
        <p className="mt-3">
          <Text>
            {
              'Anyone can follow the public events of an identity or an institution in a feed reader, as Atom or JSON Feed: '
            }
          </Text>
          <LocalLink href="/developers/getBeosByBeoIdFeed" className={textLink}>
            the feed of an identity
          </LocalLink>
          ,{' '}
          <LocalLink href="/developers/getIeosByIeoIdFeed" className={textLink}>
            that of an institution
          </LocalLink>
          .
        </p>
        <p className="mt-3">
          <Text>
            {
              'Assistants use the MCP server, over stdio or at `POST /mcp` where the operator enables it. It holds no key and only reads; a tool that writes returns a link to a page where the person decides. '
            }
          </Text>
          <LocalLink href="/developers/guides/mcp" className={textLink}>
            Its tools
          </LocalLink>
        </p>
      </Section>

      <Section id="guides" title="Guides">
        <ul className="space-y-1">
          {GUIDES.map(({ slug, name }) => (
            <li key={slug}>
              <LocalLink href={`/developers/guides/${slug}`} className={`${textLink} inline-block py-1.5`}>
                {name}
              </LocalLink>
            </li>
          ))}
        </ul>
      </Section>

      <Section id="limits" title="Rate limits">
        <p>
          <Text>
            {`Requests are counted in any ${LIMIT_WINDOW_SECONDS} seconds per client address (IPv6: per /64), in some groups per signing key as well. \`RateLimit\` and \`RateLimit-Policy\` in every response show what is left. Over the limit the response is 429 with \`Retry-After\`.`}
          </Text>
        </p>
        <table className="mt-3 w-full border-collapse text-left">
          <caption className="sr-only">Rate limits by group</caption>
          <thead>
            <tr className="border-b-2 border-ink text-sm text-muted">
              <th scope="col" className="py-2 pr-4 font-semibold">
                Group
              </th>
              <th scope="col" className="py-2 pr-4 font-semibold">
                Requests
              </th>
              <th scope="col" className="py-2 font-semibold">
                Also per key
              </th>
            </tr>
          </thead>
          <tbody>
            {Object.entries(LIMIT_GROUPS)
              .filter(([group]) => !group.startsWith('trpc'))
              .map(([group, { limit, perKey }]) => (
                <tr key={group} className="border-b border-line">
                  <th scope="row" translate="no" className="py-2 pr-4 font-mono text-sm font-normal">
                    {group}
                  </th>
                  <td className="py-2 pr-4 tabular-nums">{limit}</td>
                  <td className="py-2">{perKey ? 'yes' : 'no'}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </Section>

      <Pitfalls />

      <section className="mt-12">
        <h2 id="requests" className="scroll-mt-4">
          All requests
        </h2>
        <OperationList operations={operations} tags={TAG_DESCRIPTIONS} />
      </section>
    </>
  );
}
