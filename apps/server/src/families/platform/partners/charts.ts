import { contract } from '@liquidity-os/contract'
import {
  type ChartCells,
  type ChartClass,
  type ChartSpec,
  cellSeries,
  columnsOf,
  named,
  usedClasses,
} from '@liquidity-os/drawing'

/** A record of a partner with its state: the part that charts use. */
export type DrawnPartner =
  | { readonly status: string; readonly consent: contract.PartnerConsent }
  | { readonly status: string; readonly partner: contract.PartnerTenant }
  | { readonly status: string; readonly domain: contract.PartnerDomainChallenge }

type Scope = contract.ConsentScope
type Access = readonly [state: 'OPEN' | 'PAUSED' | 'CLOSED', text: string]

/** The chart of a partner record: granted scopes, offered scopes, or answers of name servers. */
export function partnerCharts(drawn: DrawnPartner): ChartSpec[] {
  if ('consent' in drawn) return [consentChart(drawn.status, drawn.consent)]
  if ('partner' in drawn) return [offersChart(drawn.status, drawn.partner)]
  return [answersChart(drawn.domain)]
}

const scopeNames: Readonly<Record<Scope, string>> = {
  BRAND_ON_PASSPORT: 'Brand on passports',
  SCORE_READ: 'Market quality and depth',
  REPORT_READ: 'List of signed reports',
  MANDATE_KPIS_READ: 'Market maker KPIs',
  POLICY_LIMITS_READ: 'Policy limits',
  TREASURY_TOTALS_READ: 'Treasury totals by asset',
  PORTFOLIO_SUMMARY: 'Existence of the vault',
  PROPOSAL_PREPARE: 'Prepare proposals',
}

/** A time to the minute, in UTC. */
const minuteOf = (at: string) => `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`
const plural = (count: number, name: string) => `${count} ${name}${count === 1 ? '' : 's'}`

/** All scopes, granted and not granted. */
function consentChart(status: string, consent: contract.PartnerConsent): ChartSpec {
  const { scopes, pausedScopes, receipt, vaultIds, expiresAt, ended } = consent
  const until = ended
    ? `ended ${minuteOf(ended.at)}: ${ended.because}`
    : `from ${minuteOf(receipt.grantedAt)} to ${minuteOf(expiresAt)}`
  const title = `Data shared with ${receipt.partnerName}`
  return scopesChart(
    'partner-consent',
    { title, period: `For ${plural(vaultIds.length, 'vault')}, ${until}.` },
    (scope): Access => {
      if (!scopes.includes(scope)) return ['CLOSED', 'not granted']
      if (status === 'ACTIVE' && !pausedScopes.includes(scope)) return ['OPEN', 'granted']
      if (status === 'EXPIRED') return ['CLOSED', 'expired']
      return status === 'REVOKED' ? ['CLOSED', 'revoked'] : ['PAUSED', 'paused; grant again']
    },
  )
}

/** Scopes that issuers can grant to a partner, and scopes that it does not request. */
function offersChart(status: string, partner: contract.PartnerTenant): ChartSpec {
  const { displayName, host, dataRetentionDays, offers } = partner
  const days = plural(dataRetentionDays, 'day')
  const period = `On ${host}. The partner retains shared data for ${days} after a consent ends.`
  const title = `Scopes available to grant to ${displayName}`
  return scopesChart('partner-offers', { title, period }, (scope): Access => {
    if (!offers.includes(scope)) return ['CLOSED', 'not offered']
    return status === 'ACTIVE' ? ['OPEN', 'can be granted'] : ['PAUSED', 'partner not active']
  })
}

function scopesChart(
  id: string,
  { title, period }: { readonly title: string; readonly period: string },
  accessOf: (scope: Scope) => Access,
): ChartSpec {
  const rows = contract.consentScopes.map((scope): ChartCells => {
    const [state, text] = accessOf(scope)
    const { reveals, text: terms } = contract.scopeTerms[scope]
    return [scope, text, terms, reveals.join(', ') || 'reveals no data', scopeNames[scope], state]
  })
  const namesOf = (isOpen: boolean) =>
    rows.flatMap(([, , , , name, state]) => ((state === 'OPEN') === isOpen ? name : [])).join(', ')
  return {
    id,
    kind: 'heat',
    title,
    x: named,
    summary: `${period} Available: ${namesOf(true) || 'none'}. Not available: ${namesOf(false) || 'none'}.`,
    table: { columns: scopeColumns, rows },
    series: cellSeries('name', { status: ['Status', 'state'], members: 'Fields' }),
    classes: usedClasses(scopeClasses, rows.flat()),
    notes: [period, 'The partner sees only the fields that a granted scope lists.'],
  }
}

const scopeClasses: readonly ChartClass[] = [
  { value: 'OPEN', label: 'Available', tone: 'accent' },
  { value: 'PAUSED', label: 'Paused', tone: 'warn', isHatched: true },
  { value: 'CLOSED', label: 'Not available', tone: 'neutral' },
]
const scopeColumns = columnsOf({
  scope: 'Scope',
  status: 'Status',
  access: 'Access for the partner',
  members: 'Fields',
  name: 'Name',
  state: 'State',
})

type Answer = contract.PartnerDomainAnswer
const verdicts: Readonly<Record<contract.PartnerDomainCheck['verdict'], string>> = {
  PROVEN: 'proven',
  NOT_PROVEN: 'not proven',
  SPLIT: 'the servers disagree',
  UNANSWERED: 'no authoritative server responded',
}
const outcomes: Readonly<Record<Answer['outcome'], string>> = {
  PROVEN: 'has the exact value',
  OTHER_VALUE: 'has another value',
  ABSENT: 'has no such record',
  ALIAS: 'is an alias (CNAME)',
  WILDCARD: 'wildcard: any name',
  SILENT: 'did not respond',
  NOT_ASKED: 'not queried',
}

/** Answer per name server in the newest check, and the results of earlier checks. */
function answersChart(domain: contract.PartnerDomainChallenge): ChartSpec {
  const { displayHost, observations, failing } = domain
  const [newest, ...earlier] = observations
  const rows = (newest?.answers ?? []).map(answerRow)
  const failed = failing ? `, and ${failing.checks} checks in a row did not prove it` : ''
  const checked = newest
    ? `Checked ${minuteOf(newest.at)}: ${verdicts[newest.verdict]}${failed}.`
    : 'Not checked yet.'
  const before = earlier
    .slice(0, 3)
    .map(({ at, verdict }) => `${minuteOf(at)} ${verdicts[verdict]}`)
  return {
    id: 'partner-domain-answers',
    kind: 'heat',
    title: `DNS answers for ${displayHost}`,
    summary: checked,
    x: named,
    table: { columns: answerColumns, rows },
    series: cellSeries('server', { text: ['Answer', 'state'], about: 'Server' }),
    classes: usedClasses(
      answerClasses,
      rows.map(([, , , , , , state = null]) => state),
    ),
    notes: newest ? [checked, `Before: ${before.join(' · ') || 'no earlier check'}`] : [],
    empty: checked,
  }
}

const answerClasses: readonly ChartClass[] = [
  { value: 'PROVEN', label: 'Proven', tone: 'good' },
  { value: 'DIFFERS', label: 'Another answer', tone: 'bad' },
  { value: 'SILENT', label: 'No answer', tone: 'neutral', isHatched: true },
]
const answerColumns = columnsOf({
  server: 'Server',
  address: 'Address',
  role: 'Role',
  outcome: 'Outcome',
  detail: 'Detail',
  text: 'Answer',
  state: 'State',
  about: 'Address and role',
})

function answerRow({ server, address, role, outcome, detail }: Answer): ChartCells {
  const isSilent = outcome === 'NOT_ASKED' || outcome === 'SILENT'
  const state = outcome === 'PROVEN' ? 'PROVEN' : isSilent ? 'SILENT' : 'DIFFERS'
  const who = role === 'AUTHORITATIVE' ? 'authoritative' : 'resolver of the service'
  const about = `${address ?? 'no address'}, ${who}`
  return [server, address, role, outcome, detail, outcomes[outcome], state, about]
}
