import type { Scope } from '@liquidity-os/contract'

/** Scopes in words, in the order of the form. */
export const scopeTexts: Readonly<Record<Scope, string>> = {
  'studies:read': 'Read studies and reports',
  'studies:write': 'Run studies and create reports',
  'scores:read': 'Read market quality scores',
  'alerts:read': 'Read alerts and anomalies',
  'proposals:read': 'Read proposals',
  'proposals:prepare': 'Prepare proposals',
  'vaults:read': 'Read vaults',
  'receipts:read': 'Read execution receipts and costs',
  'proof:read': 'Read passports, files and the proof log',
  'policies:check': 'Check actions against policies',
  'policies:compile': 'Draft and compile policies',
  'strategies:validate': 'Read and validate strategies',
  'webhooks:manage': 'Manage webhooks and read events',
}

export interface Preset {
  readonly key: string
  readonly label: string
  readonly scopes: readonly Scope[]
}

/** Sets of scopes for common purposes. */
export const presets: readonly Preset[] = [
  {
    key: 'read',
    label: 'Read results',
    scopes: [
      'studies:read',
      'scores:read',
      'alerts:read',
      'proposals:read',
      'vaults:read',
      'receipts:read',
      'proof:read',
    ],
  },
  { key: 'studies', label: 'Run studies', scopes: ['studies:read', 'studies:write'] },
  {
    key: 'proposals',
    label: 'Prepare proposals',
    scopes: ['proposals:read', 'proposals:prepare', 'vaults:read', 'policies:check'],
  },
  { key: 'webhooks', label: 'Receive events', scopes: ['webhooks:manage', 'alerts:read'] },
]

/** A list that a key with the scope can read. Other scopes have no request without a body. */
export const firstReads: Readonly<Partial<Record<Scope, string>>> = {
  'studies:read': '/studies',
  'scores:read': '/scores',
  'alerts:read': '/alerts',
  'proposals:read': '/proposals',
  'vaults:read': '/vaults',
  'receipts:read': '/receipts',
  'proof:read': '/proof',
  'strategies:validate': '/strategies',
  'webhooks:manage': '/webhooks',
}

/** Path of a first request with these scopes, or null. */
export function firstRead(scopes: readonly Scope[]): string | null {
  const found = (Object.keys(firstReads) as Scope[]).find((scope) => scopes.includes(scope))
  return found === undefined ? null : `${firstReads[found]}?limit=1`
}
