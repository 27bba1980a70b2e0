import { clsx } from 'clsx';
import { translator } from '../_i18n/translator.ts';
import { Button } from '../_ui/button.tsx';
import { LocalLink } from '../_ui/local-link.tsx';
import { textLink } from '../_ui/text-link.ts';

/** Links to create, sign in and recover. */
export async function StartLinks() {
  const t = await translator('home');
  return (
    <>
      <div className="flex flex-col gap-3 sm:flex-row sm:flex-wrap">
        <Button asChild size="large">
          <LocalLink href="/create">{t('hero.create')}</LocalLink>
        </Button>
        <Button asChild size="large" look="secondary">
          <LocalLink href="/sign-in">{t('hero.signIn')}</LocalLink>
        </Button>
      </div>
      <p className="mt-4 text-muted">{t('hero.free')}</p>
      <p>
        <LocalLink href="/recover" className={clsx(textLink, 'inline-flex min-h-11 items-center')}>
          {t('hero.lost')}
        </LocalLink>
      </p>
    </>
  );
}
