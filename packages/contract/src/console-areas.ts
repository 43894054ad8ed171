/** A tab of an area; families name the tab that lists their records. */
export interface ConsoleTab {
  readonly key: string
  readonly label: string
}

/** An entry of the main navigation. */
export interface ConsoleArea {
  /** Path below the organization, and first part of a family's `page`. */
  readonly path: string
  readonly label: string
  readonly icon: string
  readonly summary: string
  readonly tabs: readonly ConsoleTab[]
  /** Family whose records have their page at `{path}/{id}`. */
  readonly records?: string
}

const tab = <const K extends string>(key: K, label: string) => ({ key, label })

/** Main navigation of the console, in order, without Home and All records. */
export const consoleAreas = [
  {
    path: 'markets',
    label: 'Markets',
    icon: 'map',
    summary: 'Price, depth, volume and quality of your markets.',
    tabs: [
      tab('overview', 'Overview'),
      tab('liquidity', 'Liquidity'),
      tab('trades', 'Trades'),
      tab('quality', 'Quality'),
      tab('data', 'Data'),
    ],
  },
  {
    path: 'alerts',
    label: 'Alerts',
    icon: 'bell',
    summary: 'Open alerts, rules, and channels for notifications.',
    tabs: [tab('open', 'Alerts'), tab('rules', 'Rules'), tab('channels', 'Channels')],
    records: 'alerts',
  },
  {
    path: 'studies',
    label: 'Studies',
    icon: 'flask-conical',
    summary: 'Backtests and simulations of liquidity positions against HODL.',
    tabs: [tab('studies', 'Studies'), tab('shared', 'Shared')],
    records: 'studies',
  },
  {
    path: 'plan',
    label: 'Liquidity plan',
    icon: 'target',
    summary: 'Goals for liquidity, and the capital, launches, unlocks and incentives behind them.',
    tabs: [
      tab('goals', 'Goals'),
      tab('capital', 'Capital'),
      tab('launch', 'Launch'),
      tab('unlocks', 'Unlocks'),
      tab('allocation', 'Allocation'),
      tab('incentives', 'Incentives'),
      tab('strategies', 'Strategies'),
    ],
  },
  {
    path: 'treasury',
    label: 'Treasury',
    icon: 'book-open',
    summary: 'Balances, wallets, runway, reconciliation and stress of the treasury.',
    tabs: [
      tab('overview', 'Overview'),
      tab('wallets', 'Wallets'),
      tab('runway', 'Runway'),
      tab('close', 'Close'),
      tab('stress', 'Stress'),
    ],
  },
  {
    path: 'proposals',
    label: 'Proposals',
    icon: 'vote',
    summary: 'Transactions that wait for approval, decisions, policies and execution.',
    tabs: [
      tab('queue', 'Queue'),
      tab('compare', 'Compare'),
      tab('decisions', 'Decisions'),
      tab('policies', 'Policies'),
      tab('migrations', 'Migrations'),
      tab('execution', 'Execution'),
      tab('vaults', 'Vaults'),
    ],
    records: 'proposals',
  },
  {
    path: 'makers',
    label: 'Makers & partners',
    icon: 'plug',
    summary: 'Market-maker mandates with their KPIs, and partners with access.',
    tabs: [tab('mandates', 'Mandates'), tab('shared', 'Shared'), tab('partners', 'Partners')],
    records: 'market-maker-mandates',
  },
  {
    path: 'proof',
    label: 'Proof',
    icon: 'shield-check',
    summary: 'Evidence for third parties: passports, token control and the proof log.',
    tabs: [tab('passports', 'Passports'), tab('control', 'Control'), tab('log', 'Log')],
    records: 'passports',
  },
  {
    path: 'research',
    label: 'Research',
    icon: 'scan-eye',
    summary: 'Tokens that you follow, and research runs on recorded data.',
    tabs: [tab('projects', 'Projects'), tab('runs', 'Runs')],
  },
  {
    path: 'settings',
    label: 'Settings',
    icon: 'sliders-horizontal',
    summary: 'Members, API keys, webhooks, providers, schedules and jobs.',
    tabs: [
      tab('members', 'Members'),
      tab('api-keys', 'API keys'),
      tab('webhooks', 'Webhooks'),
      tab('providers', 'Providers'),
      tab('schedules', 'Schedules'),
      tab('jobs', 'Jobs'),
    ],
  },
] as const satisfies readonly ConsoleArea[]

type Area = (typeof consoleAreas)[number]
type PageOf<A extends Area> = A extends Area ? `${A['path']}/${A['tabs'][number]['key']}` : never

/** Tab that lists the records of a family: `plan/capital`. */
export type ConsolePage = PageOf<Area>
