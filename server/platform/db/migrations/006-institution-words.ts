/**
 * Indexes words as people type them, separated by spaces: PostgreSQL would split 'Clinic 12-34' into 'clinic', '12' and
 * the number '-34', and treat an address in a name as one word.
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
