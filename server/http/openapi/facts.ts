import { LIMIT_WINDOW_SECONDS } from '../limits/groups.ts';
import type { ApiOperation } from './model.ts';

/** A name and a value, in which `backquotes` mark code. */
export type Fact = readonly [name: string, value: string];

/** Who may send a request, what it does, and how often: for the page of the request and its description in the document. */
export function factsOf(operation: ApiOperation): readonly Fact[] {
  const { signed, effect, limit, maxBodyBytes } = operation;
  return [
    [signed ? 'Signed by' : 'Authorization', authenticationOf(operation)],
    ...(signed ? [['Function to sign', `\`${signed.function}\``] as const] : []),
    ['Effect', EFFECTS[effect]],
    ['Rate limit', limit ? limitOf(limit) : 'None'],
    ...(maxBodyBytes === null ? [] : [['Largest body', `${maxBodyBytes / 1024} KiB`] as const]),
  ];
}

const EFFECTS: Readonly<Record<ApiOperation['effect'], string>> = {
  entry: 'An accepted request is recorded on the ledger',
  change: 'It changes the state of the service and writes no ledger entry',
  none: 'It reads and writes no ledger entry',
};

function authenticationOf({ signed, forInstitute }: ApiOperation): string {
  if (forInstitute) return 'One of the keys of the institute, in `X-Institute-Key`';
  if (!signed) return 'None: anybody may send it';
  const field = /^(publicKey|newPublicKey)$/.exec(signed.signer);
  const signer = field
    ? `The key in \`${signed.signer}\``
    : `${signed.signer.charAt(0).toUpperCase()}${signed.signer.slice(1)}`;
  return signed.optional ? `${signer}; the signature is optional` : signer;
}

const limitOf = ({ requests, perKey, group }: NonNullable<ApiOperation['limit']>): string =>
  `${requests} requests in ${LIMIT_WINDOW_SECONDS} seconds per client address${perKey ? ', and the same per signing key' : ''} (group \`${group}\`)`;
