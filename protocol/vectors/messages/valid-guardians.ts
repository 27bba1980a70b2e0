import {
  acceptance,
  configuration,
  guardianConfirmation,
  invitation,
  recoveryConfirmation,
  requirement,
  resignation,
} from './guardian-texts.ts';
import { type Case, guardian, OTHER, PRIMARY, TERTIARY, TRANSACTION } from './texts.ts';

export const VALID_GUARDIANS: Readonly<Record<string, Case>> = {
  'recovery-of-a-beo': { about: 'Two guardians, one bound to a key.', ...configuration() },
  'recovery-of-a-beo-null': { about: 'Nobody any more.', ...configuration({ recovery: 'null' }) },
  'recovery-of-a-beo-with-nobody': {
    about: 'Not the same as null: the configuration stays, without guardians.',
    ...configuration({ recovery: '{"guardians":[]}' }),
  },
  'recovery-of-a-beo-disabled': {
    about: 'By domain, with three guardians who are not to be asked at present.',
    ...configuration({
      beoId: '"Maria.bsp"',
      recovery: `{"enabled":false,"guardians":[${guardian('primary', 'Ana')},${guardian('secondary', 'Bruno')},${guardian('tertiary', 'Célia', TERTIARY)}],"threshold":2}`,
    }),
  },
  'recovery-of-a-beo-echoed-from-a-read': {
    about: 'What a client sends back from a read is signed with the rest.',
    ...configuration({
      recovery:
        '{"enabled":true,"guardians":[{"accepted":true,"accepted_at":"2026-01-30T12:00:00.000Z","added_at":"2026-01-29T12:00:00.000Z",' +
        `"confirmed":true,"contact":"ana@example.org","guardian_id":"a5b9c7d1-2e3f-5a4b-8c6d-7e8f90a1b2c3","name":"Ana","public_key":"${PRIMARY}","role":"secondary","status":"ACTIVE"}],"threshold":2}`,
    }),
  },
  'recovery-of-a-beo-read-back': {
    about: 'Exactly what a public read has answered: no names, no contacts.',
    ...configuration({
      recovery:
        '{"enabled":true,"guardians":[{"accepted":true,"accepted_at":"2026-01-30T12:00:00.000Z","added_at":"2026-01-29T12:00:00.000Z",' +
        `"confirmed":true,"guardian_id":"a5b9c7d1-2e3f-5a4b-8c6d-7e8f90a1b2c3","public_key":"${PRIMARY}","role":"secondary","status":"ACTIVE"}],"threshold":2}`,
    }),
  },

  invite: { about: 'The name, how to reach the person, and the role.', ...invitation() },
  'invite-by-domain-in-unicode': {
    about: 'Letters are signed as they are; a contact is any text.',
    ...invitation({ beoId: '"Maria.BSP"', name: '"Célia 😀"', contact: '"+351 910 000 000"', role: '"tertiary"' }),
  },
  'invite-with-the-longest-texts': {
    about: '80 and 200 characters.',
    ...invitation({ name: `"${'n'.repeat(80)}"`, contact: `"${'c'.repeat(200)}"`, role: '"secondary"' }),
  },

  accept: { about: 'The guardian’s own key signs, which nobody knew before.', ...acceptance() },
  'accept-in-upper-case': {
    about: 'Ids and keys are signed as they were sent.',
    ...acceptance({
      invitationId: '"3F2E1D0C-9B8A-5C7D-9E6F-5A4B3C2D1E0F"',
      beoId: TRANSACTION,
      publicKey: `"${PRIMARY.toUpperCase()}"`,
    }),
  },

  'confirm-guardian': { about: 'The holder signs for the guardian’s key.', ...guardianConfirmation() },
  'confirm-guardian-in-upper-case': {
    about: 'Ids and keys are signed as they were sent.',
    ...guardianConfirmation({
      guardianId: '"A5B9C7D1-2E3F-5A4B-8C6D-7E8F90A1B2C3"',
      publicKey: `"${PRIMARY.toUpperCase()}"`,
    }),
  },

  'require-confirmed-guardians': { about: 'Only confirmed guardians are eligible from now on.', ...requirement() },
  'require-confirmed-guardians-by-domain': {
    about: 'By any form of the alias rule.',
    ...requirement({ beoId: '"Maria.bsp"' }),
  },
  'resign-guardian': { about: 'Signed with the guardian’s own key.', ...resignation() },
  'resign-guardian-in-upper-case': {
    about: 'The id is signed as it was sent.',
    ...resignation({ guardianId: '"A5B9C7D1-2E3F-5A4B-8C6D-7E8F90A1B2C3"' }),
  },

  'confirm-recovery': { about: 'The guardian’s key signs for the key that is to follow.', ...recoveryConfirmation() },
  'confirm-recovery-by-domain': {
    about: 'The forms that were sent are signed.',
    ...recoveryConfirmation({ beoId: '"maria.bsp"', newPublicKey: `"${OTHER.toUpperCase()}"` }),
  },
};
