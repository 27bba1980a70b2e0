/** A numbered step of a flow; its name is the step in the address (`?step=key`). */
export interface Step<State, Screen extends string> {
  readonly name: Screen;
  /** Whether the next steps can be opened. Left out where reading it suffices. */
  readonly isDone?: (state: State) => boolean;
  /** The screen to which the link back leads, if it is not the step before; null for no link. */
  readonly back?: Screen | null;
}

/** A flow of one question per screen, as data. */
export interface Flow<State, Numbered extends string, Other extends string = never> {
  readonly steps: readonly [Step<State, Numbered>, ...Step<State, Numbered>[]];
  /** The screens beside the steps that can be opened at any time, each with the screen to which its link back leads. */
  readonly beside?: Partial<Readonly<Record<Other, Numbered | Other>>>;
  /** The screen of a state in which the address does not decide; null in any other. */
  readonly only?: (state: State, requested: string | null) => Numbered | Other | null;
}

/** The screen for the step in the address: none before the steps that it needs are done, and the first for an unknown one. */
export function screenFor<State, Numbered extends string, Other extends string>(
  { steps, beside, only }: Flow<State, Numbered, Other>,
  requested: string | null,
  state: State,
): Numbered | Other {
  const decided = only?.(state, requested) ?? null;
  if (decided !== null) return decided;
  const open = steps.findIndex(({ isDone }) => isDone && !isDone(state));
  const wanted = steps.findIndex(({ name }) => name === requested);
  if (wanted < 0 && beside && requested !== null && Object.hasOwn(beside, requested)) return requested as Other;
  const place = open < 0 ? wanted : Math.min(open, wanted);
  return (steps[Math.max(0, place)] ?? steps[0]).name;
}

/** The screen to which the link back of a screen leads; null where it has none. */
export function screenBefore<State, Numbered extends string, Other extends string>(
  { steps, beside }: Flow<State, Numbered, Other>,
  screen: Numbered | Other,
): Numbered | Other | null {
  const place = steps.findIndex(({ name }) => name === screen);
  if (place < 0) return beside?.[screen as Other] ?? null;
  const back = steps[place]?.back;
  return back === undefined ? (steps[place - 1]?.name ?? null) : back;
}

/** The screens to which the links back lead from a screen, one after the other. */
export function screensBefore<State, Numbered extends string, Other extends string>(
  flow: Flow<State, Numbered, Other>,
  screen: Numbered | Other,
): ReadonlySet<Numbered | Other> {
  const before = new Set<Numbered | Other>();
  for (let at = screenBefore(flow, screen); at !== null && !before.has(at); at = screenBefore(flow, at)) before.add(at);
  return before;
}
