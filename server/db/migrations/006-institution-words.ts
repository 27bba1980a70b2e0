/**
 * PostgreSQL takes 'Clinic 12-34' apart into 'clinic', '12' and the number '-34', and an address in a name for one word: between
 * spaces, words are what people type.
 */
export const institutionWords = `
DROP INDEX ieos_words;
CREATE INDEX ieos_words ON ieos USING gin (
  to_tsvector('simple', translate(
    coalesce(display_name, '') || ' ' || domain,
    '!"#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~¡¢£§©«®°´·»¿–—‘’‚“”„†‡•…‹›€™\u00a0',
    repeat(' ', 80)
  ))
) WHERE status = 'ACTIVE';
`;
