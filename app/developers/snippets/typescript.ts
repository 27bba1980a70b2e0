import { createClient } from '../../../client/client.ts';
import { PLAIN_READS } from '../../../client/reads.ts';
import type { Json } from '../../../protocol/signing/canonical-json.ts';
import type { ApiOperation } from '../../../server/http/openapi/model.ts';
import { type ExampleRequest, isWrite, keyField, nameOf } from './example-request.ts';
import { literal, TYPESCRIPT } from './literal.ts';

const text = (value: Json, indent = 0): string => literal(value, TYPESCRIPT, indent);

/** `GET /api/beos/{}` of a method and a path. */
const addressOf = (method: string, path: string): string =>
  `${method} ${path.replace(/\{\w+\}|:\w+|\*/g, '{}').replace('?', '')}`;

/** The methods of the client that read without a signature, by address. */
const READS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(PLAIN_READS).map(
    ([name, [path, , { method = 'GET' } = {}]]) => [addressOf(method, path), name] as const,
  ),
  // These verify what they read, so the client's table does not have them.
  ['GET /api/transactions/{}', 'getTransaction'],
  ['GET /api/ledger', 'getLedger'],
  ['GET /api/ledger/entries', 'listEntries'],
  ['GET /tlog/proof/{}', 'getInclusionProof'],
  ['GET /metrics', 'getMetrics'],
]);
const METHODS: ReadonlySet<string> = new Set(Object.keys(createClient({ url: 'http://localhost' })));

/** The request in TypeScript, with @perpetua/client; with fetch where no method of the client reads the address. */
export function typescriptOf(operation: ApiOperation, request: ExampleRequest, url: string): string {
  const method =
    operation.signed || operation.body ? nameOf(operation) : READS.get(addressOf(operation.method, operation.path));
  if (method && METHODS.has(method)) return withClient(method, operation, request, url);
  return withFetch(operation, request, url);
}

function withClient(method: string, operation: ApiOperation, request: ExampleRequest, url: string): string {
  const { signed, forInstitute } = operation;
  const options = forInstitute ? "{\n  url,\n  instituteKey: process.env.INSTITUTE_KEY ?? '',\n}" : '{ url }';
  return [
    `import { createClient${signed ? ', keyFromSeed' : ''} } from '@perpetua/client';`,
    '',
    `const url = ${text(url)};`,
    `const client = createClient(${options});`,
    ...(signed ? ["const key = keyFromSeed(process.env.PERPETUA_SEED ?? '');"] : []),
    '',
    `const result = await client.${method}(${argumentsOf(operation, request)});`,
    'console.log(result);',
  ].join('\n');
}

/** The client encrypts the files of a share itself. */
const clearShare = ({
  beoId = null,
  label = null,
}: Readonly<Record<string, Json>>): Readonly<Record<string, Json>> => ({
  ...{ beoId, label },
  files: [{ contentType: 'application/fhir+json', content: '{"resourceType":"Bundle","type":"collection"}' }],
});

function argumentsOf(operation: ApiOperation, { fields, hints, parameters, query }: ExampleRequest): string {
  const { signed, forInstitute } = operation;
  if (!signed && !forInstitute)
    return Object.values({ ...parameters, ...asObject(query) })
      .map((value) => text(value))
      .join(', ');
  if (!signed && operation.body === null)
    return Object.values(parameters)
      .map((value) => text(value))
      .join(', ');
  const field = keyField(operation);
  const isOwn = field !== null && !isWrite(operation);
  const given = Object.fromEntries(
    Object.entries(operation.id === 'createShare' ? clearShare(fields) : { ...fields, ...hints }).filter(
      ([name]) => !(isOwn && name === field),
    ),
  );
  const link = 'token' in parameters ? ", link: 'THE-LINK'" : '';
  const signing = signed ? `{ ${isOwn && field === 'newPublicKey' ? 'newKey: key' : 'key'}${link} }` : '';
  const source = Object.keys(given).length > 0 ? text(given) : '';
  const own = field ? source.replace(`${field}: ${text(given[field] ?? null)}`, `${field}: key.publicKey`) : source;
  return [own, signing].filter(Boolean).join(', ');
}

const asObject = (query: Readonly<Record<string, string>>) => (Object.keys(query).length > 0 ? { query } : {});

function withFetch({ method, answers }: ApiOperation, { path, query }: ExampleRequest, url: string): string {
  const search = Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';
  const read = answers[0]?.type?.startsWith('application/json') ? 'json' : 'text';
  const options = method === 'GET' ? '' : `, { method: ${text(method)} }`;
  return [
    `const url = ${text(url)};`,
    `const response = await fetch(\`\${url}${path}${search}\`${options});`,
    `console.log(response.status, await response.${read}());`,
  ].join('\n');
}
