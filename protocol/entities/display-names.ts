/** Scripts recommended for identifiers (UAX #31 table 5). A word in other scripts is allowed if it has none of these. */
const SCRIPTS = [
  ...['Latin', 'Cyrillic', 'Greek', 'Arabic', 'Hebrew', 'Armenian', 'Georgian', 'Ethiopic', 'Thaana'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala'],
  ...['Thai', 'Lao', 'Khmer', 'Myanmar', 'Tibetan', 'Han', 'Hiragana', 'Katakana', 'Bopomofo', 'Hangul'],
];
/** Scripts that may be mixed in one word: Japanese, Chinese and Korean with Latin (UTS #39 §5.2, highly restrictive). */
const MIXABLE = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const inScripts = (scripts: readonly string[]): string => scripts.map((script) => `\\p{scx=${script}}`).join('');
const ANY = '\\p{scx=Common}\\p{scx=Inherited}\\p{N}';

const SINGLE_SCRIPT = [
  ...[...SCRIPTS.map((script) => [script]), ...MIXABLE].map(
    (scripts) => new RegExp(`^[${inScripts(scripts)}${ANY}]*$`, 'u'),
  ),
  new RegExp(`^(?:(?![${inScripts(SCRIPTS)}]).|[${ANY}])*$`, 'u'),
];

/** Digits, symbols, apostrophes and middle dots do not end a word (UAX #29); spaces and dashes do. */
const WORD = /[\p{L}\p{M}\p{N}\p{So}\p{Cf}'’·_]+/gu;

/** Scripts in which zero-width joiners are visible: Persian and the scripts of India. Elsewhere they are invisible. */
const JOINED =
  /^[\p{scx=Arabic}\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}]+$/u;
const JOINERS = /[\u200c\u200d]/g;
const JOINERS_WITHIN = /^(?:[^\u200c\u200d]+[\u200c\u200d])*[^\u200c\u200d]+$/;
/** Invisible characters, except the joiners and the variation selector after an emoji. */
const INVISIBLE = /(?![\u200c\u200d])(?!(?<=\p{Extended_Pictographic})\ufe0f)\p{Default_Ignorable_Code_Point}|\u2800/u;

/** Small capitals and other letters of phonetic notation, except those of orthographies, such as Azerbaijani, Hausa and Ewe. */
const PHONETIC = /(?![ɓɔɖɗəɛɣɨɩɲʉʊʋ])[\u0250-\u02af\u1d00-\u1dbf\ua730\ua731\uab30-\uab6f\u{1df00}-\u{1dfff}]/u;

const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u;
/** Styled variants of the letters a to z: full width, numerals, bold, circled. ª and º are allowed. */
const isStyled = (character: string): boolean =>
  !/[\p{ASCII}ªº]/u.test(character) && /^[A-Za-z]$/.test(character.normalize('NFKC'));
const isWideOrNumeral = (character: string): boolean => /[\uff21-\uff3a\uff41-\uff5a\p{Nl}]/u.test(character);

/** Orthographies that put more than two marks on a letter. */
const MANY_MARKS =
  /[\p{scx=Devanagari}\p{scx=Bengali}\p{scx=Gurmukhi}\p{scx=Gujarati}\p{scx=Oriya}\p{scx=Tamil}\p{scx=Telugu}\p{scx=Kannada}\p{scx=Malayalam}\p{scx=Sinhala}\p{scx=Khmer}\p{scx=Myanmar}\p{scx=Tibetan}\p{scx=Hebrew}]/u;
const STACKED = { few: /\p{M}{3}/u, many: /\p{M}{5}/u };
const isStacked = (word: string): boolean =>
  (MANY_MARKS.test(word) ? STACKED.many : STACKED.few).test(word.normalize('NFD'));

/** Names of this service and of the institute that certifies, in the languages of the pages. */
const OWN_NAMES = ['Perpetua', 'Institute', 'The Institute', 'Instituto', 'O Instituto', 'El Instituto'];

/** Letters and marks that look like punctuation: modifier letters, ꞏ, clicks, and ™ and ℠, which would become letters. */
const SIGNS = /[\p{Lm}\ua78f\u01c0-\u01c3™℠]/gu;

/** Letters and digits that look like a letter from a to z, each after that letter. i and l look alike. */
const LOOKALIKES = new Map(
  [
    ...['aа@4αⱥꓮᎪ', 'bвβ8ƀɓꓐᏴ', 'cсꓚᏟ', 'dԁđɖɗꓓᎠ', 'eеε3ɇɛꓰᎬ', 'fꓝ', 'gꓖᏀᏳ', 'hһнħꓧᎻ', 'jјꓙᎫ', 'kкκꓗᏦ'],
    ...['liı1|!іιӏłɨɩꓡꓲᏆᏞᎥ', 'mмꓟᎷ', 'nпηոƞɲꓠ', 'oоο0օøɔꓳᎾ', 'pрρƥꝑꓑᏢ', 'qԛ', 'rгɍꓣᎡᏒ', 'sѕ5$ꓢᏚ', 'tтτŧƭƫⱦꓔᎢ'],
    ...['uυиսμʉʊʋꓴᏌ', 'vνꓦᏙ', 'wԝωꓪᎳᏔ', 'xхχꓫ', 'yуɣꓬᎩ', 'zꓜᏃ'],
  ].flatMap(([letter = '', ...others]) => others.map((other) => [other.toLowerCase(), letter] as const)),
);

/** What remains of a name to a hasty reader: no case, accents, spaces or punctuation, and letters that look alike are one. */
function skeletonOf(name: string): string {
  const plain = name.replace(SIGNS, '').normalize('NFKD').toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '');
  const alike = [...plain].map((character) => LOOKALIKES.get(character) ?? character).join('');
  return alike
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

function isOwnName(name: string, others: readonly string[]): boolean {
  // At the ends of a name, ! and | are punctuation.
  const skeletons = [name, name.replace(/^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu, '')].map(skeletonOf);
  return [...OWN_NAMES, ...others].map(skeletonOf).some((own) => own !== '' && skeletons.includes(own));
}

/** Why a name could be mistaken for another, and the word that causes it. */
export type Misleading = {
  readonly kind: 'invisible' | 'styled' | 'mixed' | 'stacked' | 'own';
  readonly word: string;
};

/**
 * Why the name of an institution could be mistaken for another, or null. Checked at creation only, because a replay must not depend
 * on the Unicode version. Does not find whole words in one script that look like words in another, except names of the service.
 * @param ownNames further names of the service and its operator
 */
export function findMisleading(name: string, ownNames: readonly string[] = []): Misleading | null {
  if (INVISIBLE.test(name)) return { kind: 'invisible', word: name };
  if (isOwnName(name, ownNames)) return { kind: 'own', word: name };
  for (const [word] of name.matchAll(WORD)) if (isStacked(word)) return { kind: 'stacked', word };
  for (const [word] of name.matchAll(WORD)) {
    const bare = word.replace(JOINERS, '');
    if (bare.length < word.length && !(JOINED.test(bare) && JOINERS_WITHIN.test(word)))
      return { kind: 'invisible', word };
    if (PHONETIC.test(word.toLowerCase())) return { kind: 'styled', word };
    const styled = [...bare].filter(isStyled);
    const isEastAsian = EAST_ASIAN.test(name) && !/[a-z]/i.test(bare) && styled.every(isWideOrNumeral);
    if (styled.length > 0 && !isEastAsian) return { kind: 'styled', word };
    if (!SINGLE_SCRIPT.some((script) => script.test(bare))) return { kind: 'mixed', word };
  }
  return null;
}
