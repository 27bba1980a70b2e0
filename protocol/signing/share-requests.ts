import { z } from 'zod';
import { entityReference, text } from '../shapes.ts';
import { MAX_OPENINGS, MAX_SHARE_CHARACTERS, MAX_SHARE_FILES, MAX_SHARE_LABEL, shareFileType } from '../share-files.ts';
import type { RequestForm } from './message.ts';

const digest = z
  .string({ error: 'must be a SHA-256: 64 hex characters' })
  .regex(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256: 64 hex characters');

/** The number of openings, from 1. */
const OPENINGS = `must be a whole number from 1 to ${MAX_OPENINGS}`;

/** A share's id: the secret part of its address. */
export const shareId = z
  .string({ error: 'must be the id of a share' })
  .regex(/^[\w-]{43}$/, 'must be the id of a share')
  .meta({ description: 'The id of a share: 256 random bits in 43 base64url characters.' });

const introducesNothing = () => ({ keys: [], domains: [] });

export const shareFields = z.strictObject({
  beoId: entityReference,
  label: text('what the share is for; a note that only the holder reads', { max: MAX_SHARE_LABEL, visible: true }),
  exp: z
    .int({ error: 'must be a time in seconds since 1970' })
    .min(0)
    .meta({ description: 'When the share ends, in seconds since 1970: 15 minutes to 30 days after `timestamp`.' }),
  passcodeDigest: digest
    .nullable()
    .meta({ description: 'SHA-256 of `perpetua-share-passcode:<first file digest>:<passcode>`; null without one.' }),
  openings: z
    .int({ error: OPENINGS })
    .min(1, OPENINGS)
    .max(MAX_OPENINGS, OPENINGS)
    .meta({ description: 'How many times the share can be opened.' }),
  fileDigests: z
    .array(digest, { error: 'must be a list of digests' })
    .min(1, 'must name at least one file')
    .max(MAX_SHARE_FILES, `must name at most ${MAX_SHARE_FILES} files`)
    .meta({ description: 'The SHA-256 of each file, as it is sent.' }),
});

const FILE = 'must be a compact JWE with "dir", "A256GCM" and the type of the content in "cty"';

export const shareFiles = z
  .array(
    z
      .string({ error: FILE })
      .max(MAX_SHARE_CHARACTERS, `must have at most ${MAX_SHARE_CHARACTERS} characters`)
      .refine((jwe) => shareFileType(jwe) !== null, FILE)
      .meta({ description: 'A compact JWE (RFC 7516) with `dir`, `A256GCM`, `cty` and, if compressed, `zip` DEF.' }),
    { error: 'must be a list of files' },
  )
  .min(1, 'must have at least one file')
  .max(MAX_SHARE_FILES, `must have at most ${MAX_SHARE_FILES} files`);

/** A holder shares encrypted files by a link. The signature covers their digests. No ledger entry. Protocol §11. */
export const CREATE_SHARE: RequestForm = {
  function: 'createShare',
  fields: shareFields,
  hints: { files: shareFiles },
  introduces: introducesNothing,
};

export const LIST_SHARES: RequestForm = {
  function: 'listShares',
  fields: z.strictObject({ beoId: entityReference }),
  hints: {},
  introduces: introducesNothing,
};

export const STOP_SHARE: RequestForm = {
  function: 'stopShare',
  fields: z.strictObject({ beoId: entityReference, shareId }),
  hints: {},
  introduces: introducesNothing,
};
