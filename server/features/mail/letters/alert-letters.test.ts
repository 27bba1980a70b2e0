import { expect, test } from 'vitest';
import { LANGUAGES } from '../../../../messages/languages.ts';
import type { MailKind } from '../mail.ts';
import { asText } from './render.ts';
import { BLOCKS, writeLetter } from './write.ts';

const SITE = 'https://id.example';
const KINDS = (Object.keys(BLOCKS) as MailKind[]).filter((kind) => kind.startsWith('alert') && kind !== 'alertConfirm');
const occasion = {
  link: null,
  identityUrl: `${SITE}/explore/1`,
  recoverUrl: `${SITE}/recover`,
  unsubscribeUrl: `${SITE}/api/mail/unsubscribe/token`,
  publicUrl: SITE,
  alert: { domain: 'maria.bsp', at: '2026-11-24T14:35:00.000Z' },
};

test.each(LANGUAGES)(
  'every alert in %s says what happened, when and what to do, and links to pages alone',
  (language) => {
    for (const kind of KINDS) {
      const letter = writeLetter(kind, language, occasion);
      const text = asText(letter, SITE);
      expect([kind, letter.subject]).not.toContain('');
      expect(letter.subject).not.toContain('maria');
      expect(text).toContain('maria.bsp');
      expect(text).toMatch(/14:35 UTC/);
      expect(letter.blocks.some(({ is }) => is === 'important')).toBe(true);
      for (const block of letter.blocks)
        if (block.is === 'link') expect(block.url).toMatch(/^https:\/\/id\.example\/me\/\w+$/);
      expect(text).not.toMatch(/[{}]|letters\./);
    }
  },
);

test.each(LANGUAGES)('the mail to a new address in %s does not name the identity', (language) => {
  const link = { url: `${SITE}/a/token`, until: '2026-11-27T14:35:00.000Z' };
  const text = asText(writeLetter('alertConfirm', language, { ...occasion, link }), SITE);
  expect(text).toContain(`\n${SITE}/a/token\n`);
  expect(text).not.toContain('maria');
});
