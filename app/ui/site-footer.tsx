import { translator } from '../intl/translator.ts';
import { en } from '../messages/en.ts';
import { Mark } from './mark.tsx';

const MACHINES = [
  ['ledger', '/api/ledger'],
  ['entries', '/api/ledger/entries'],
  ['ready', '/ready'],
  ['health', '/health'],
] as const;

const link = 'inline-flex min-h-11 items-center underline decoration-1 underline-offset-[0.2em] hover:decoration-2';

/** The foot of every page: where machines look, and what is public. */
export async function SiteFooter({ version }: { version: string }) {
  const t = await translator('shell');
  return (
    <footer className="bg-bedrock text-on-bedrock [--focus:var(--on-bedrock)]">
      <div className="page grid gap-10 py-12 sm:grid-cols-2 lg:grid-cols-[1.4fr_1fr_1fr]">
        <div>
          <p className="flex items-center gap-2.5 text-xl font-bold">
            <Mark className="size-8" />
            {en.common.name}
          </p>
          <p className="mt-3 max-w-sm text-sm text-on-bedrock-muted">{t('footer.nothingElse')}</p>
          <p className="mt-3 text-sm text-on-bedrock-muted">{t('footer.version', { version })}</p>
        </div>
        <nav aria-label={t('footer.about')}>
          <h2 className="text-base">{t('footer.about')}</h2>
          <ul>
            <li>
              <a href="/#public" className={link}>
                {t('footer.public')}
              </a>
            </li>
            <li>
              <a href="/recover" className={link}>
                {t('footer.recover')}
              </a>
            </li>
          </ul>
        </nav>
        <nav aria-label={t('footer.machines')}>
          <h2 className="text-base">{t('footer.machines')}</h2>
          <ul>
            {MACHINES.map(([name, path]) => (
              <li key={path}>
                <a href={path} className={link}>
                  {t(`footer.${name}`)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
