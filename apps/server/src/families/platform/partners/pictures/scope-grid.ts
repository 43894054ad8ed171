import { contract } from '@liquidity-os/contract'
import {
  type Columns,
  columnsOn,
  type Drawing,
  drawing,
  hatch,
  ink,
  lineBetween,
  noteOn,
  type Paper,
  type Shape,
  styleOf,
} from '@liquidity-os/drawing'
import { minuteOf, scopeNames } from './drawn.ts'

type Scope = contract.ConsentScope
type ScopeStatus = 'OPEN' | 'PAUSED' | 'CLOSED'

interface Line {
  readonly scope: Scope
  readonly scopeStatus: ScopeStatus
  readonly words: string
}

const [top, rowHeight] = [62, 40]
const blue = styleOf(0).color

/** All scopes, granted and not granted. */
export function drawConsent(
  status: string,
  consent: contract.PartnerConsent,
  paper: Paper,
): Drawing {
  const { scopes, pausedScopes, receipt, vaultIds, expiresAt, ended } = consent
  const lines = contract.consentScopes.map((scope): Line => {
    if (!scopes.includes(scope)) return { scope, scopeStatus: 'CLOSED', words: 'not granted' }
    if (status === 'ACTIVE' && !pausedScopes.includes(scope)) {
      return { scope, scopeStatus: 'OPEN', words: 'granted' }
    }
    if (status === 'REVOKED' || status === 'EXPIRED') {
      return { scope, scopeStatus: 'CLOSED', words: status === 'EXPIRED' ? 'expired' : 'revoked' }
    }
    return { scope, scopeStatus: 'PAUSED', words: 'paused; grant again' }
  })
  const vaults = `${vaultIds.length} ${vaultIds.length === 1 ? 'vault' : 'vaults'}`
  const until = ended
    ? `ended ${minuteOf(ended.at)}: ${ended.because}`
    : `from ${minuteOf(receipt.grantedAt)} to ${minuteOf(expiresAt)}`
  return grid(
    {
      id: 'partner-consent',
      title: `Data shared with ${receipt.partnerName}`,
      label: `For ${vaults}, ${until}.`,
    },
    lines,
    paper,
  )
}

/** Scopes that issuers can grant to a partner, and scopes it does not request. */
export function drawOffers(status: string, partner: contract.PartnerTenant, paper: Paper): Drawing {
  const isActive = status === 'ACTIVE'
  const lines = contract.consentScopes.map((scope): Line => {
    if (!partner.offers.includes(scope))
      return { scope, scopeStatus: 'CLOSED', words: 'not offered' }
    return isActive
      ? { scope, scopeStatus: 'OPEN', words: 'can be granted' }
      : { scope, scopeStatus: 'PAUSED', words: 'partner not active' }
  })
  const days = partner.dataRetentionDays
  return grid(
    {
      id: 'partner-offers',
      title: `Scopes available to grant to ${partner.displayName}`,
      label: `On ${partner.host}. The partner retains shared data for ${days} ${days === 1 ? 'day' : 'days'} after a consent ends.`,
    },
    lines,
    paper,
  )
}

function grid(
  { id, title, label }: { id: string; title: string; label: string },
  lines: readonly Line[],
  paper: Paper,
): Drawing {
  const cells = columnsOn(paper, paper.minFontSize === 0 ? columns : screenColumns, [
    ['box', 'scope'],
    ['indent', 'standing'],
    ['indent', 'members'],
  ])
  const head = noteOn(paper, { x: 16, y: 22 }, label, { size: 11, isBold: true })
  const rest = noteOn(paper, { x: 16, y: 42 + head.more }, unseen, {
    size: 10,
    color: ink.faint,
  })
  const first = top + head.more + rest.more
  const height = rowHeight + cells.more
  const named = (scopeStatus: ScopeStatus) =>
    lines.filter((one) => one.scopeStatus === scopeStatus).map(({ scope }) => scopeNames[scope])
  const open = named('OPEN')
  return drawing(
    {
      id,
      title,
      description: `${label} Available: ${open.join(', ') || 'none'}. Not available: ${[...named('PAUSED'), ...named('CLOSED')].join(', ') || 'none'}.`,
    },
    {
      columns: ['scope', 'status', 'access for the partner', 'members'],
      rows: lines.map(({ scope, words }) => [
        ...[scope, words, contract.scopeTerms[scope].text],
        contract.scopeTerms[scope].reveals.join(', '),
      ]),
    },
    {
      height: first + lines.length * height,
      shapes: [
        ...[...head.shapes, ...rest.shapes],
        ...lines.flatMap((line, index) => rowOf(line, first + index * height, cells, paper)),
      ],
    },
    paper,
  )
}

const unseen = 'The partner sees only the fields that a granted scope lists.'
const columns = {
  box: [16, 32],
  scope: [42, 262],
  indent: [0, 16],
  members: [270, 590],
  standing: [594, 744],
} as const
/** The larger font on screen needs a wider status column. */
const screenColumns = { ...columns, members: [270, 534], standing: [538, 744] } as const
type Cells = Columns<keyof typeof columns>

function rowOf(
  { scope, scopeStatus: standing, words }: Line,
  y: number,
  cells: Cells,
  paper: Paper,
): Shape[] {
  const { reveals } = contract.scopeTerms[scope]
  const box = { x: 16, y: y + 3, width: 14, height: 14 }
  const isOpen = standing === 'OPEN'
  const members = reveals.length === 0 ? 'reveals no data' : reveals.join(', ')
  return [
    lineBetween(
      { x: 16, y: y - 6 },
      { x: paper.width - 16, y: y - 6 },
      { color: ink.grid, width: 0.7 },
    ),
    {
      kind: 'rect',
      ...box,
      fill: isOpen ? blue : null,
      stroke: { color: isOpen ? blue : ink.axis, width: 1.2 },
    },
    ...(standing === 'PAUSED' ? hatch(box, ink.axis, 3) : []),
    cells.words('scope', y + 13, scopeNames[scope], {
      size: 11,
      isBold: isOpen,
      color: isOpen ? ink.text : ink.faint,
    }),
    cells.words('members', y + 13, members, { size: 9.5, color: ink.faint }),
    cells.words('standing', y + 13, words, {
      size: 10.5,
      anchor: cells.isStacked ? 'start' : 'end',
      isBold: isOpen,
    }),
  ]
}
