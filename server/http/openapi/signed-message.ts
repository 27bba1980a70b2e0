import type { Authority, Subject } from '../../../protocol/operation.ts';
import type { AnyOperation } from '../../../protocol/operations.ts';
import { ENVELOPE_FIELDS } from '../../../protocol/signing/envelope.ts';
import type { RequestForm } from '../../../protocol/signing/message.ts';
import type { SignedForm } from '../rest/rest-endpoint.ts';
import { SIGNED_HEADERS } from '../rest/signed-query.ts';

/** What OpenAPI cannot express about a signed request. */
export interface SignedMessage {
  /** The value of the signed member `function`. */
  readonly function: string;
  /** The members of the canonical message, in its order. Optional ones are signed if they are sent. */
  readonly members: readonly string[];
  /** The fields of the request that are not signed. */
  readonly unsigned: readonly string[];
  /** Whose key signs, as a phrase. */
  readonly signer: string;
  /** Whether the service accepts the request without a signature, too. */
  readonly optional: boolean;
  /** Where each member travels that is not in the body. */
  readonly headers: Readonly<Record<string, string>>;
}

const membersOf = ({ fields }: RequestForm): readonly string[] =>
  ['function', ...Object.keys(fields.shape), ...ENVELOPE_FIELDS.filter((name) => name !== 'signature')].toSorted();

/** Null for an operation of the institute, which is not signed. */
export const messageOfOperation = (operation: AnyOperation): SignedMessage | null =>
  operation.signer === 'institute'
    ? null
    : {
        function: operation.function,
        members: membersOf(operation),
        unsigned: Object.keys(operation.hints ?? {}),
        signer: signerOf(operation.signer, operation.subjects),
        optional: false,
        headers: {},
      };

export function messageOfForm({ form, signer, isOptional = false }: SignedForm, isGet: boolean): SignedMessage {
  const members = membersOf(form);
  const carried = [...members, 'signature'].filter((name) => isGet && SIGNED_HEADERS[name] !== undefined);
  return {
    function: form.function,
    members,
    unsigned: Object.keys(form.hints ?? {}),
    signer,
    optional: isOptional,
    headers: Object.fromEntries(carried.map((name) => [name, SIGNED_HEADERS[name] ?? ''])),
  };
}

function signerOf(authority: Exclude<Authority, 'institute'>, subjects: Readonly<Record<string, Subject>>): string {
  if ('field' in authority) return `the key in ${authority.field}`;
  if ('guardianOf' in authority) return 'the guardian, with the key that the guardian registered';
  const subject = subjects[authority.role];
  const owner = {
    holder: 'the holder',
    institution: 'the institution',
    grantee: 'the institution that received the consent',
  }[authority.role];
  const named = subject && 'field' in subject ? ` in ${subject.field}` : '';
  return `the current key of ${owner ?? authority.role}${named}`;
}
