'use client';

import { Lock, Search, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { PassphraseField } from '../_keys/passphrase-field.tsx';
import { Progress } from '../_keys/progress.tsx';
import { Alert } from '../_ui/alert.tsx';
import { Badge } from '../_ui/badge.tsx';
import { BarChart } from '../_ui/bar-chart.tsx';
import { Breadcrumbs } from '../_ui/breadcrumbs.tsx';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { CertificationMark } from '../_ui/certification-mark.tsx';
import { ConsentPicture } from '../_ui/consent-picture.tsx';
import { type DataColumn, DataTable } from '../_ui/data-table.tsx';
import { Dialog } from '../_ui/dialog.tsx';
import { Field } from '../_ui/field.tsx';
import { Identifier } from '../_ui/identifier.tsx';
import { LedgerStatus } from '../_ui/ledger-status.tsx';
import { Name } from '../_ui/name.tsx';
import { NavCard } from '../_ui/nav-card.tsx';
import { Pager } from '../_ui/pager.tsx';
import { ChooseName } from '../_ui/pictures/choose-name.tsx';
import { Destroyed } from '../_ui/pictures/destroyed.tsx';
import { EmptyTray } from '../_ui/pictures/empty-tray.tsx';
import { GiveConsent } from '../_ui/pictures/give-consent.tsx';
import { Guarding } from '../_ui/pictures/guarding.tsx';
import { IdentityCard } from '../_ui/pictures/identity-card.tsx';
import { KeyReplaced } from '../_ui/pictures/key-replaced.tsx';
import { LinkApart } from '../_ui/pictures/link-apart.tsx';
import { Recover } from '../_ui/pictures/recover.tsx';
import { Registered } from '../_ui/pictures/registered.tsx';
import { ShieldClosing } from '../_ui/pictures/shield-closing.tsx';
import { Submitted } from '../_ui/pictures/submitted.tsx';
import { YouDecide } from '../_ui/pictures/you-decide.tsx';
import { Select } from '../_ui/select.tsx';
import { Shields } from '../_ui/shields.tsx';
import { Skeleton } from '../_ui/skeleton.tsx';
import { CardSkeleton, RowsSkeleton, ScreenSkeleton, TableSkeleton, WordsSkeleton } from '../_ui/skeletons.tsx';
import { useSorting } from '../_ui/sorting.ts';
import { STATES, StateBadge } from '../_ui/state-badge.tsx';
import { Table, TableCell, TableHead, TableRow } from '../_ui/table.tsx';
import { Wizard } from '../_wizard/wizard.tsx';

const TONES = ['neutral', 'accent', 'caution', 'danger'] as const;
const LOOKS = ['primary', 'secondary', 'quiet'] as const;
const PICTURES = [
  ...[YouDecide, ChooseName, GiveConsent, Recover, Guarding, ShieldClosing],
  ...[Registered, Submitted, KeyReplaced, LinkApart, EmptyTray, Destroyed],
];

const COLOURS = [
  'bg-ground',
  'bg-surface',
  'bg-sunken',
  'bg-accent',
  'bg-accent-soft',
  'bg-caution-soft',
  'bg-danger-soft',
  'bg-warm',
  'bg-bedrock',
  'bg-settled',
  'bg-line',
  'bg-edge',
  'bg-ink',
  'bg-muted',
  'bg-focus',
];
const UNCERTIFIED = { level: 'UNCERTIFIED', granted_at: null, expires_at: null, categories: [], intents: [] } as const;

const daysFromNow = (days: number) => new Date(Date.now() + days * 24 * 3_600_000).toISOString();
const CONSENTS = [
  { name: 'Active', days: 120 },
  { name: 'Ends soon', days: 5 },
  { name: 'Until it is withdrawn', days: null },
  { name: 'Ended', days: -1, ended: { name: 'Expired', at: daysFromNow(-1) } },
];

const STEPS = [
  { step: 'name', title: 'Name', canReturn: true },
  { step: 'backup', title: 'Backup', canReturn: false },
  { step: 'create', title: 'Create', canReturn: false },
];

/** The tokens and the components, each in each state. In English only: nobody but developers sees it. */
export function Gallery() {
  const [typed, setTyped] = useState('');
  const [open, setOpen] = useState(false);
  return (
    <div className="page space-y-12 py-10">
      <h1>Components</h1>
      <Section title="Colours">
        <ul className="grid grid-cols-2 gap-3 sm:grid-cols-4 lg:grid-cols-7">
          {COLOURS.map((colour) => (
            <li key={colour} className="text-sm">
              <span className={`block h-12 rounded-md border border-edge ${colour}`} />
              {colour.slice(3)}
            </li>
          ))}
        </ul>
      </Section>
      <Section title="Type">
        <p className="text-3xl font-bold">Title of the first page</p>
        <p className="text-2xl font-bold">h1</p>
        <p className="text-xl font-bold">h2</p>
        <p className="text-lg font-bold">h3 and the title of a card</p>
        <p>
          Text. <span className="text-muted">Muted text.</span> <span className="text-sm">Small text.</span>
        </p>
        <p className="tabular-nums text-3xl font-bold">1,000,000</p>
      </Section>
      <Section title="Pictures">
        <div className="grid grid-cols-2 gap-6 sm:grid-cols-4">
          {PICTURES.map((Picture) => (
            <Picture key={Picture.name} className="w-full" />
          ))}
        </div>
        <IdentityCard name="quiet-river-olive.bsp" note="Yours since 27 Nov 2026" />
      </Section>
      <Section title="Widths">
        {['max-w-form', 'max-w-prose', 'max-w-page'].map((width) => (
          <p key={width} className={`${width} rounded-sm bg-sunken px-3 py-1 text-sm`}>
            {width.slice(6)}
          </p>
        ))}
      </Section>
      <Section title="Buttons">
        {LOOKS.map((look) => (
          <div key={look} className="flex flex-wrap items-center gap-3">
            <Button look={look}>Medium</Button>
            <Button look={look} size="large">
              Large
            </Button>
            <Button look={look}>
              <Search aria-hidden />
              With a symbol
            </Button>
            <Button look={look} size="icon" aria-label="Lock">
              <Lock aria-hidden />
            </Button>
            <Button look={look} busy>
              Sending…
            </Button>
            <Button look={look} disabled>
              Disabled
            </Button>
          </div>
        ))}
      </Section>
      <Section title="States">
        <div className="flex flex-wrap gap-3">
          {(Object.keys(STATES) as (keyof typeof STATES)[]).map((state) => (
            <StateBadge key={state} state={state} />
          ))}
        </div>
        <div className="flex flex-wrap gap-3">
          {TONES.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
          <CertificationMark
            institution={{ certified: true, certification: { ...UNCERTIFIED, level: 'BASIC' }, domain_above: null }}
          />
          <CertificationMark
            institution={{ certified: false, certification: UNCERTIFIED, domain_above: 'hospital.bsp' }}
          />
        </div>
        <div className="flex flex-wrap gap-6">
          <LedgerStatus status="ACCEPTED" />
          <LedgerStatus status="POSTED" />
          <LedgerStatus status="CONFIRMED" confirmations={7} />
          <LedgerStatus status="FINAL" />
        </div>
      </Section>
      <Section title="Messages">
        {(['info', 'caution', 'danger'] as const).map((tone) => (
          <Alert key={tone} tone={tone} title={`Title of ${tone}`}>
            <p>What happened, and what to do.</p>
          </Alert>
        ))}
        <Skeleton className="h-12 w-full" />
        <div className="grid gap-4 md:grid-cols-3">
          <CardSkeleton />
          <RowsSkeleton rows={2} />
          <WordsSkeleton />
          <ScreenSkeleton />
        </div>
        <Progress doing="Unlocking…" fraction={0.4} />
      </Section>
      <Section title="Pictures">
        <Shields states={['full', 'half', 'waiting']} label="2 of 3 guardians can help" />
        <Shields states={['full', 'empty', 'empty']} label="1 of 3 guardians can help" />
        {CONSENTS.map(({ name, days, ...consent }) => (
          <Card key={name}>
            <ConsentPicture
              who={<p className="font-semibold">{name}</p>}
              own={false}
              scope={{ intents: ['READ_RECORDS'], categories: ['BSP-HM', 'BSP-VT'] }}
              granted_at={daysFromNow(-80)}
              expires_at={days === null ? null : daysFromNow(days)}
              {...consent}
            />
          </Card>
        ))}
      </Section>
      <Section title="Fields">
        <div className="max-w-form space-y-5">
          <Field label="Name" hint="A hint." value={typed} onType={setTyped} />
          <Field label="Name" error="What is wrong, and what to do." value={typed} onType={setTyped} />
          <PassphraseField value={typed} onChange={setTyped} autoComplete="current-password" account="someone.bsp" />
          <Select label="One of a few">
            <option>First</option>
            <option>Second</option>
          </Select>
        </div>
      </Section>
      <Section title="Boxes">
        <div className="grid gap-4 md:grid-cols-2">
          <Card>
            <h3>Card</h3>
            <Name>quiet-harbour-lantern-of-the-north-42.bsp</Name>
            <p>
              <Identifier value="JbK2nX1cVwq9TtPzY8u3LrQ5sDfGhJ4kLmN6oPqRsTu" what="publicKey" />
            </p>
          </Card>
          <NavCard icon={Users} name="Link card" what="Where it leads." href="/_ui" />
        </div>
        <Table caption="A table" columns={['What', 'When', 'Status']}>
          {['First', 'Second'].map((row) => (
            <TableRow key={row}>
              <TableHead>{row}</TableHead>
              <TableCell label="When">3 May</TableCell>
              <TableCell label="Status">
                <StateBadge state="ACTIVE" />
              </TableCell>
            </TableRow>
          ))}
        </Table>
        <ManyRows />
        <TableSkeleton rows={3} />
        <Button look="secondary" onClick={() => setOpen(true)}>
          Open the dialog
        </Button>
        {open && (
          <Dialog title="A dialog" description="What it asks." onClose={() => setOpen(false)}>
            <Button onClick={() => setOpen(false)}>Continue</Button>
          </Dialog>
        )}
      </Section>
      <Section title="Ways">
        <Breadcrumbs label="Breadcrumb" trail={[{ name: 'Explore the ledger', href: '/_ui' }]} here="Identity" />
        <Pager
          label="Pages"
          previous={{ name: 'Newer entries', href: '/_ui' }}
          next={{ name: 'Older entries', href: '/_ui' }}
        />
      </Section>
      <Section title="Charts">
        <BarChart
          label="Entries of four days"
          bars={[5, 0, 9, 2].map((value, index) => ({ name: `Day ${index + 1}`, value, open: index === 3 }))}
          className="h-28 w-full border-b border-edge"
        />
      </Section>
      <Section title="Steps">
        <Wizard
          walk={{ screen: 'backup', numbered: STEPS, at: 1, back: 'name', moved: false }}
          aside={<p>Why this is asked.</p>}
        >
          <h2>One thing per screen</h2>
          <p>The form.</p>
        </Wizard>
      </Section>
    </div>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-4">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

const ROWS = Array.from({ length: 100 }, (_, index) => ({
  id: `row-${(index * 37) % 100}`,
  count: (index * 37) % 100,
}));
const ROW_COLUMNS: readonly DataColumn<(typeof ROWS)[number]>[] = [
  { key: 'id', name: 'Name', sortBy: ({ id }) => id, cell: ({ id }) => id },
  { key: 'count', name: 'Count', sortBy: ({ count }) => count, cell: ({ count }) => count },
  { key: 'note', name: 'Note', width: '12rem', cell: () => 'A note that is cut off where there is no room for it' },
];

function ManyRows() {
  const sorting = useSorting(ROWS, ROW_COLUMNS);
  return (
    <DataTable caption="A long table" columns={ROW_COLUMNS} sorting={sorting} keyOf={({ id }) => id} kept="gallery" />
  );
}
