import { folded } from '../../../../protocol/folded-text.ts';

/** Words in place of a result, or beside one that does not stand, in English, Portuguese, Spanish and German, folded. */
const WORDS = new RegExp(
  `^(?:${[
    ...['prelim(?:inary)?', 'provisional', 'interim', 'partial', 'pending', 'in progress', 'registered', 'cancell?ed'],
    ...['rejected', 'invalid', 'entered[ -]in[ -]error', 'error', 'wrong', 'deleted', 'superseded', 'replaced'],
    ...['on hold', 'withheld', 'un(?:verified|validated)', 'not (?:verified|validated|released|performed|done)'],
    ...['preliminar', 'provisori[oa]', 'parcial', 'pend(?:i)?ente', 'em (?:andamento|analise)', 'en (?:proceso|curso)'],
    ...['(?:cancel|anul|rejeit|rechaz|recus|elimin|ret|reten)(?:ad|id)[oa]', 'inval?id[oa]', 'excluid[oa]', 'erro'],
    ...['su[bs]stituid[oa]', '(?:nao|no) (?:validad|liberad|realizad|procesad)[oa]'],
    ...['vorlaufig(?:er)?', 'ausstehend', 'folgt', 'in arbeit', 'storniert', 'abgelehnt', 'ungultig', 'fehler'],
    ...['geloscht', 'gesperrt', 'entfallt', 'nicht (?:validiert|freigegeben|durchgefuhrt)'],
  ].join('|')})\\.?$`,
);
const EMBARGO = /\bembarg/;
const MAX_TEXT = 80;

/** Whether a text says that a result is not there yet, is not released, or does not stand. */
export function isNotFinal(text: string): boolean {
  if (text.length > MAX_TEXT) return false;
  const plain = folded(text.trim());
  return WORDS.test(plain) || EMBARGO.test(plain);
}

const STATUS_HEADING = /\bstatus\b|\bstatut|situac|estado|estatus|\bstate\b/;
/** HL7 table 0085: preliminary, partial, pending, not verified, not asked for, not obtained, deleted, wrong. */
const STATUS_LETTER = /^[PSIRNOXDW]$/;
const COMPARATOR = /^(?:[<>≤≥]|[<>]=|=[<>])$/;

export const isComparator = (cell: string): boolean => COMPARATOR.test(cell);

/** Whether a cell of a column that is not used changes what its row means: it is a comparator, or a result that is not final. */
export const changesRow = (heading: string, cell: string): boolean =>
  isComparator(cell) || isNotFinal(cell) || (STATUS_LETTER.test(cell) && STATUS_HEADING.test(folded(heading)));

/** Whether a column has comparators, and nothing else. */
export const areComparators = (cells: readonly string[]): boolean =>
  cells.some(isComparator) && cells.every((cell) => /^=?$/.test(cell) || isComparator(cell));
