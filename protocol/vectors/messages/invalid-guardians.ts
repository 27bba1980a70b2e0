import { SMALL_ORDER } from '../ed25519/forge.ts';
import {
  acceptance,
  configuration,
  guardianConfirmation,
  invitation,
  recoveryConfirmation,
  requirement,
  resignation,
} from './guardian-texts.ts';
import type { RefusedCase } from './invalid.ts';
import { type Case, guardian, HOLDER_SEED, OTHER, OTHER_SEED, PRIMARY_SEED, SECONDARY } from './texts.ts';

type Parts = Omit<Case, 'about'>;

const smallOrder = SMALL_ORDER.at(-2)?.hex ?? '';

/** A request whose signature fits all that was sent, so that only what the name says is wrong. */
const refused = (about: string, parts: Parts, code = 'VALIDATION_FAILED'): RefusedCase => ({ about, ...parts, code });

/** A request that is right but for the text that was signed. */
const signedAs = (about: string, parts: Parts, { signed }: Parts): RefusedCase => ({
  ...refused(about, parts, 'INVALID_SIGNATURE'),
  signed,
});

/** A request that is right but for the key that signed it. */
const signedBy = (about: string, parts: Parts, seed: Uint8Array): RefusedCase => ({
  ...refused(about, parts, 'INVALID_SIGNATURE'),
  seed,
});

const named = (parts: Parts, functionName: string): Parts => ({
  ...parts,
  signed: parts.signed.replace(/"function":"\w+"/, `"function":"${functionName}"`),
});
const without = ({ body, signed, ...rest }: Parts, member: string): Parts => {
  const cut = new RegExp(`"${member}":"[^"]*",`);
  return { ...rest, body: body.replace(cut, ''), signed: signed.replace(cut, '') };
};
const configured = (about: string, recovery: string, code?: string): RefusedCase =>
  refused(about, configuration({ recovery }), code);

export const INVALID_GUARDIANS: Readonly<Record<string, RefusedCase>> = {
  'recovery-of-a-beo-signed-over-the-name-in-the-table': signedAs(
    'updateRecovery is signed, not the row’s own name.',
    configuration(),
    named(configuration(), 'updateBEORecovery'),
  ),
  'recovery-of-a-beo-signed-as-an-institution': signedAs('ieoId for beoId.', configuration(), {
    ...configuration(),
    signed: configuration().signed.replace('"beoId"', '"ieoId"'),
  }),
  'recovery-of-a-beo-signed-without-the-names': signedAs(
    'The names are sealed, and signed all the same.',
    configuration(),
    configuration({ recovery: '{"guardians":[]}' }),
  ),
  'recovery-of-a-beo-missing': refused(
    'No recovery, which is not null.',
    without(configuration({ recovery: '""' }), 'recovery'),
  ),
  'recovery-of-a-beo-threshold-1': configured(
    'It is always 2.',
    '{"guardians":[],"threshold":1}',
    'RECOVERY_THRESHOLD_INVALID',
  ),
  'recovery-of-a-beo-with-somebody-unknown': configured(
    'Without a name, an id or a key has to say who it is.',
    '{"guardians":[{"name":"Ana","role":"primary"}]}',
  ),
  'recovery-of-a-beo-with-a-role-twice': configured(
    'One guardian for each role.',
    `{"guardians":[${guardian('primary', 'Ana')},${guardian('primary', 'Bruno')}]}`,
  ),
  'recovery-of-a-beo-key-of-small-order': configured(
    'Any message verifies under it.',
    `{"guardians":[${guardian('primary', 'Ana', smallOrder)}]}`,
    'PUBLIC_KEY_INVALID',
  ),

  'invite-signed-by-another-key': signedBy('Only the holder invites.', invitation(), OTHER_SEED),
  'invite-signed-for-another-role': signedAs('Another role.', invitation(), invitation({ role: '"secondary"' })),
  'invite-signed-for-somebody-else': signedAs('Another name.', invitation(), invitation({ name: '"Bruno"' })),
  'invite-to-an-unknown-role': refused('No such role.', invitation({ role: '"fourth"' })),
  'invite-without-a-name': refused('Nobody.', without(invitation(), 'name')),
  'invite-with-a-blank-name': refused('A name of spaces.', invitation({ name: '"  "' })),
  'invite-with-a-name-of-81-characters': refused('80 at most.', invitation({ name: `"${'n'.repeat(81)}"` })),
  'invite-without-a-contact': refused('Nowhere.', without(invitation(), 'contact')),
  'invite-with-a-contact-of-201-characters': refused('200 at most.', invitation({ contact: `"${'c'.repeat(201)}"` })),
  'invite-with-a-key': refused(
    'Who is invited by hand is bound to no key.',
    invitation({ publicKey: `"${SECONDARY}"` }),
  ),

  'accept-signed-by-the-holder': signedBy('Nobody accepts for a guardian.', acceptance(), HOLDER_SEED),
  'accept-signed-for-another-key': signedAs('Another key.', acceptance(), acceptance({ publicKey: `"${SECONDARY}"` })),
  'accept-signed-for-another-identity': signedAs('Another identity.', acceptance(), acceptance({ beoId: '"ana.bsp"' })),
  'accept-signed-over-the-id-in-upper-case': signedAs(
    'The form that was sent counts.',
    acceptance(),
    acceptance({ invitationId: '"3F2E1D0C-9B8A-5C7D-9E6F-5A4B3C2D1E0F"' }),
  ),
  'accept-a-key-of-small-order': refused(
    'Any message verifies under it.',
    acceptance({ publicKey: `"${smallOrder}"` }),
    'PUBLIC_KEY_INVALID',
  ),
  'accept-by-domain': refused('An invitation has no domain.', acceptance({ invitationId: '"maria.bsp"' })),
  'accept-without-an-invitation': refused('Which one?', without(acceptance(), 'invitationId')),
  'accept-with-the-token-of-the-link': refused('It stays in the path.', acceptance({ token: '"secret"' })),

  'confirm-guardian-signed-by-the-guardian': signedBy(
    'Only the holder signs for a guardian.',
    guardianConfirmation(),
    PRIMARY_SEED,
  ),
  'confirm-guardian-signed-as-an-acceptance': signedAs(
    'Another function.',
    guardianConfirmation(),
    named(guardianConfirmation(), 'acceptGuardian'),
  ),
  'confirm-guardian-signed-for-another-key': signedAs(
    'The key is what the holder signs for.',
    guardianConfirmation(),
    guardianConfirmation({ publicKey: `"${SECONDARY}"` }),
  ),
  'confirm-guardian-without-the-key': refused('For whom?', without(guardianConfirmation(), 'publicKey')),
  'confirm-guardian-by-role': refused('An id.', guardianConfirmation({ guardianId: '"primary"' })),
  'confirm-guardian-with-a-key-of-small-order': refused(
    'It could be nobody’s.',
    guardianConfirmation({ publicKey: `"${smallOrder}"` }),
    'PUBLIC_KEY_INVALID',
  ),

  'require-confirmed-guardians-signed-by-a-guardian': signedBy(
    'Only the holder can require it.',
    requirement(),
    PRIMARY_SEED,
  ),
  'require-confirmed-guardians-signed-as-a-lock': signedAs(
    'Another function.',
    requirement(),
    named(requirement(), 'lockBEO'),
  ),
  'require-confirmed-guardians-for-a-time': refused(
    'It is for ever.',
    requirement({ until: '"2027-01-31T12:00:00.000Z"' }),
  ),
  'resign-guardian-signed-by-the-holder': signedBy(
    'A holder removes a guardian with updateRecovery.',
    resignation(),
    HOLDER_SEED,
  ),
  'resign-guardian-signed-as-an-acceptance': signedAs(
    'Another function.',
    resignation(),
    named(resignation(), 'acceptGuardian'),
  ),
  'resign-guardian-without-the-guardian': refused('Which one?', without(resignation(), 'guardianId')),

  'confirm-recovery-signed-by-the-holder': signedBy(
    'The holder’s key is what was lost.',
    recoveryConfirmation(),
    HOLDER_SEED,
  ),
  'confirm-recovery-signed-by-the-new-key': signedBy(
    'Nobody confirms for themselves.',
    recoveryConfirmation(),
    OTHER_SEED,
  ),
  'confirm-recovery-signed-for-another-key': signedAs(
    'A confirmation counts for one key.',
    recoveryConfirmation(),
    recoveryConfirmation({ newPublicKey: `"${SECONDARY}"` }),
  ),
  'confirm-recovery-signed-for-another-request': signedAs(
    'A confirmation counts for one request.',
    recoveryConfirmation(),
    recoveryConfirmation({ requestId: '"7c6b5a49-3827-4d16-8f05-e4d3c2b1a091"' }),
  ),
  'confirm-recovery-signed-as-a-rotation': signedAs(
    'Another function.',
    recoveryConfirmation(),
    named(recoveryConfirmation(), 'rotateKey'),
  ),
  'confirm-recovery-to-a-key-of-small-order': refused(
    'Anybody could sign with it.',
    recoveryConfirmation({ newPublicKey: `"${smallOrder}"` }),
    'PUBLIC_KEY_INVALID',
  ),
  'confirm-recovery-without-a-request': refused('Which one?', without(recoveryConfirmation(), 'requestId')),
  'confirm-recovery-saying-when-it-was-opened': refused(
    'The service knows, and nobody else says.',
    recoveryConfirmation({ opened_at: '"2026-01-31T12:00:00.000Z"' }),
  ),
  'confirm-recovery-with-the-words': refused(
    'The words are for people.',
    recoveryConfirmation({ fingerprint: `"${OTHER}"` }),
  ),
};
