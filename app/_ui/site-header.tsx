import { Command, Infinity as Forever, Menu, Moon, Search, Sun, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { translator } from '../_i18n/translator.ts';
import { placesIn } from '../public-pages.ts';
import { Badge } from './badge.tsx';
import { Button } from './button.tsx';
import { LedgerSearch } from './ledger-search.tsx';
import { LocalLink } from './local-link.tsx';
import { Logo } from './logo.tsx';
import { SiteMenu } from './site-menu.tsx';
import { ThemeToggle } from './theme-toggle.tsx';

type SiteHeaderProps = {
  /** Whether this network is permanent. */
  permanent: boolean;
  /** The link to the dashboard, or to sign in. */
  dashboard: ReactNode;
  /** The links to the other languages. */
  languages: ReactNode;
};

/** On the buttons that open the palette (_session/palette-root.tsx). */
const OPENS_PALETTE = {
  'data-opens-palette': '',
  'aria-haspopup': 'dialog',
  'aria-keyshortcuts': 'Control+K Meta+K',
} as const;

const MENU = [
  ['signIn', '/sign-in'],
  ['footer.create', '/create'],
  ['footer.recover', '/recover'],
  ['footer.guardian', '/guardian'],
  ['explore', '/explore'],
] as const;

/** The header of every page: the logo, the network, the navigation, and a menu with the languages and the theme. */
export async function SiteHeader({ permanent, dashboard, languages }: SiteHeaderProps) {
  const t = await translator('shell');
  const Icon = permanent ? Forever : TriangleAlert;
  const network = permanent ? 'arweave' : 'devnet';
  return (
    <header className="border-b border-line bg-surface print:hidden">
      <div className="page flex min-h-14 items-center gap-1 max-[25rem]:gap-0 max-[16rem]:flex-wrap sm:gap-3">
        <LocalLink href="/" aria-label={t('home')} className="-ml-1 flex min-h-11 items-center gap-2.5 rounded-sm px-1">
          <Logo className="size-8 text-accent" />
          <span className="text-xl font-bold tracking-tight max-[24rem]:hidden sm:max-md:hidden">{t('name')}</span>
        </LocalLink>
        <Badge
          tone={permanent ? 'accent' : 'caution'}
          className="ml-auto max-[16rem]:order-last max-[16rem]:mb-2 max-[16rem]:ml-0"
        >
          <Icon aria-hidden className="max-[25rem]:hidden" />
          <span className="lg:hidden">{t(`${network}.short`)}</span>
          <span className="hidden lg:inline">{t(`${network}.long`)}</span>
        </Badge>
        <LedgerSearch className="flex w-64 max-xl:hidden" />
        <nav aria-label={t('nav')} className="flex items-center max-[16rem]:ml-auto">
          <Button asChild look="quiet" className="px-3 max-sm:w-11 max-sm:px-0 max-[30rem]:hidden">
            <LocalLink href="/explore">
              <Search aria-hidden />
              <span className="sr-only sm:not-sr-only">{t('explore')}</span>
            </LocalLink>
          </Button>
          {dashboard}
        </nav>
        <Button {...OPENS_PALETTE} look="quiet" className="px-3 max-sm:hidden unscripted:hidden" title="Ctrl K, ⌘K">
          <Command aria-hidden />
          <span className="max-lg:sr-only">{t('goTo')}</span>
        </Button>
        <SiteMenu label={t('menu')} icon={<Menu aria-hidden />}>
          <Button {...OPENS_PALETTE} look="quiet" size="line" className="sm:hidden unscripted:hidden">
            <Command aria-hidden />
            {t('goTo')}
          </Button>
          <LedgerSearch className="mb-2 flex xl:hidden" />
          {MENU.map(([name, path]) => (
            <Button key={path} asChild look="quiet" size="line">
              <LocalLink href={path}>{t(name)}</LocalLink>
            </Button>
          ))}
          <hr className="my-2 border-line" />
          {placesIn('about').map(({ name, path }) => (
            <Button key={path} asChild look="quiet" size="line">
              <LocalLink href={path}>{t(`footer.${name}`)}</LocalLink>
            </Button>
          ))}
          <hr className="my-2 border-line" />
          {languages}
          <hr className="my-2 border-line" />
          <ThemeToggle>
            <Moon aria-hidden className="dark:hidden" />
            <Sun aria-hidden className="hidden dark:block" />
            <span className="dark:hidden">{t('useDarkTheme')}</span>
            <span className="hidden dark:block">{t('useLightTheme')}</span>
          </ThemeToggle>
        </SiteMenu>
      </div>
    </header>
  );
}
