import { z } from 'zod';
import { createdShare, ownShare, ownShares, shareManifest } from '../../../protocol/read-responses.ts';
import { MAX_SHARE_CHARACTERS } from '../../../protocol/share-files.ts';
import { CREATE_SHARE, LIST_SHARES, STOP_SHARE } from '../../../protocol/signing/share-requests.ts';
import { readManifest, readOnlyFile, readShareFile } from '../../features/shares/open-share.ts';
import { createShare, listShares, stopShare } from '../../features/shares/own-shares.ts';
import { linkToken } from './guardian-routes.ts';
import { jsonAction, openAction, rawQuery } from './rest-endpoint.ts';

const SIGNER = 'the holder';
const OF_A_HOLDER = ['BEO_NOT_FOUND', 'BEO_DESTROYED', 'INTEGRITY_FAILED'] as const;

export const created = jsonAction({
  title: 'Share encrypted files by a link',
  description:
    'Only what is encrypted with a key that the service never gets. The signature covers the digests of the files. A repetition of all signed fields returns the same share, while it can be opened.',
  changes: true,
  signed: { form: CREATE_SHARE, signer: SIGNER },
  maxBodyBytes: MAX_SHARE_CHARACTERS + 16 * 1024,
  response: createdShare,
  errors: [...OF_A_HOLDER, 'BEO_LOCKED', 'SHARE_LIMIT_REACHED', 'STORAGE_LIMIT_REACHED'],
  answer: createShare,
});

export const listed = jsonAction({
  title: 'List shares and who opened them',
  description: 'Also those that ended in the last 30 days.',
  signed: { form: LIST_SHARES, signer: SIGNER },
  response: ownShares,
  errors: OF_A_HOLDER,
  answer: listShares,
});

export const stopped = jsonAction({
  title: 'Stop a share',
  description: 'At once. Its files are deleted.',
  changes: true,
  signed: { form: STOP_SHARE, signer: SIGNER },
  response: ownShare,
  errors: [...OF_A_HOLDER, 'NOT_FOUND'],
  answer: stopShare,
});

const path = { id: linkToken };
const recipient = z
  .string({ error: 'must be a text' })
  .meta({ description: 'Who asks, in their own words. The holder sees it.' });
const LENGTH = 'must be a whole number, not negative';

export const manifest = openAction({
  title: 'Open a share',
  description: 'The manifest request of SMART Health Links. It counts as an opening.',
  changes: true,
  path,
  body: z.looseObject(
    {
      recipient,
      passcode: z.string({ error: 'must be a text' }).nullish().meta({ description: 'With the flag P.' }),
      embeddedLengthMax: z
        .int({ error: LENGTH })
        .min(0, LENGTH)
        .nullish()
        .meta({ description: 'Longer files get an address instead. By default 262 144.' }),
    },
    { error: 'must be a JSON object' },
  ),
  maxBodyBytes: 16 * 1024,
  response: shareManifest,
  errors: ['NOT_FOUND', 'PASSCODE_INVALID', 'INTEGRITY_FAILED'],
  answer: (context, { passcode, embeddedLengthMax, ...body }, { params }) =>
    readManifest(context, params.id ?? '', {
      recipient: body.recipient,
      passcode: passcode ?? undefined,
      embeddedLengthMax: embeddedLengthMax ?? undefined,
    }),
});

const JOSE = 'application/jose';
const FILE = { status: 200, description: 'The file, as a compact JWE.', type: JOSE, schema: z.string() };
const asFile = (jwe: string) => ({ status: 200, headers: { 'content-type': JOSE }, body: jwe });

export const onlyFile = rawQuery({
  title: 'Open a share of one file directly',
  description:
    'The direct request of SMART Health Links, with the flag U, for a share without a passcode. It counts as an opening.',
  path,
  parameters: z.strictObject({ recipient }),
  ignoresOthers: true,
  answers: [FILE],
  errors: ['NOT_FOUND', 'INTEGRITY_FAILED'],
  answer: async (context, { params, parameters }) =>
    asFile(await readOnlyFile(context, params.id ?? '', parameters.recipient)),
});

export const file = rawQuery({
  title: 'Read a file of a share',
  description: 'By the address in the manifest.',
  path: { ticket: linkToken },
  ignoresOthers: true,
  answers: [FILE],
  errors: ['NOT_FOUND'],
  answer: async (context, { params }) => asFile(await readShareFile(context, params.ticket ?? '')),
});
