import { getContext } from '../../server/http/context.ts';
import { translator } from '../_i18n/translator.ts';
import { Alert } from '../_ui/alert.tsx';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';
import { Unfinished } from './unfinished.tsx';

type StartProps = {
  /** The text that was typed. */
  typed: string;
  /** The normalized reference. */
  reference: string;
  /** Why the identity cannot be recovered. */
  problem: 'malformed' | 'unknown' | 'unavailable' | 'destroyed' | 'institution' | null;
  /** The language in the address. */
  lang: string | null;
};

const TONES = { destroyed: 'danger', unavailable: 'caution', institution: 'info' } as const;

/** Asks for the domain; a plain form, which works without scripts. */
export async function Start({ typed, reference, problem, lang }: StartProps) {
  const t = await translator('recover');
  const suffix = getContext().config.DOMAIN_SUFFIX;
  const isMistaken = problem === 'malformed' || problem === 'unknown';
  return (
    <div className="max-w-form space-y-6 pt-6 pb-20">
      <h1>{t('start.title')}</h1>
      <p className="text-lg">{t('start.lead')}</p>
      <Unfinished except={problem && reference} />
      {problem && !isMistaken && (
        <Alert tone={TONES[problem]} title={t(`${problem}.title`, { reference })}>
          <p>{t(`${problem}.body`)}</p>
          {problem === 'institution' && (
            <p>
              <LocalLink
                href={`/sign-in/bring?domain=${encodeURIComponent(reference)}`}
                className={`${textLink} inline-block py-2`}
              >
                {t('institution.action')}
              </LocalLink>
            </p>
          )}
        </Alert>
      )}
      <form action="/recover" method="get">
        {lang && <input type="hidden" name="lang" value={lang} />}
        <Field
          name="domain"
          label={t('start.label')}
          hint={t('start.hint', { suffix })}
          error={isMistaken ? t(`${problem}.error`, { reference, suffix }) : undefined}
          defaultValue={typed}
          required
          maxLength={80}
          autoComplete="off"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
          action={
            <Button type="submit" size="large">
              {t('start.submit')}
            </Button>
          }
        />
      </form>
      <p className="text-muted">{t('start.calm')}</p>
    </div>
  );
}
