import type { contract } from '@liquidity-os/contract'
import { countsText, trustTexts, weakestTrust } from '@liquidity-os/contract/mandate-words'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { familyQuery, useMembership } from '../../api/queries.ts'
import { Missing } from '../../fields/exact.tsx'
import { percentOf } from '../../fields/numbers.ts'
import type { SearchParams } from '../../routes.tsx'
import { Icon } from '../../ui/icons.tsx'
import { Fault } from '../../ui/notice.tsx'
import { PageLink, toList, toPage, toRecord } from '../../ui/page-link.tsx'
import { Empty, Panel, Skeleton } from '../../ui/parts.tsx'
import { Simulated } from '../../ui/simulated.tsx'
import { State } from '../../ui/state.tsx'
import ui from '../../ui/ui.module.css'
import styles from '../pages.module.css'
import { RecordsPage } from '../records.tsx'
import { Row, Table } from '../table.tsx'
import { evaluationsQuery, type MandateRecord, mandatesQuery, usePairTokens } from './mandates.ts'

const family = 'market-maker-mandates'

/** Mandates with the results of their KPIs. A filter or an open form shows the list of records. */
export function MandateList() {
  const { tab: _, list: __, ...search } = useSearch({ strict: false }) as SearchParams
  return Object.keys(search).length > 0 ? <MandateRecords /> : <MandateTable />
}

function MandateRecords() {
  const file = useQuery(familyQuery(family))
  if (file.error) return <Fault error={file.error} onRetry={() => void file.refetch()} />
  return file.data ? <RecordsPage file={file.data} isSection /> : <Skeleton lines={8} />
}

/** Mandates in force first. */
const ranks = ['ACTIVE', 'PAUSED', 'DRAFT']
const rankOf = ({ status }: MandateRecord) => (ranks.indexOf(status) + ranks.length + 1) % 4

function MandateTable() {
  const { organizationId } = useMembership()
  const mandates = useQuery(mandatesQuery(organizationId))
  const create = (
    <PageLink to={toList(family, { form: 'createMarketMakerMandates' })} className={ui.button}>
      <Icon name="plus" />
      Create mandate
    </PageLink>
  )
  if (mandates.error)
    return <Fault error={mandates.error} onRetry={() => void mandates.refetch()} />
  if (!mandates.data) return <Skeleton lines={6} />
  if (mandates.data.length === 0)
    return (
      <Empty title="No mandates">
        <p>Create a mandate to measure what a market maker promised.</p>
        {create}
      </Empty>
    )
  const sorted = mandates.data.toSorted((a, b) => rankOf(a) - rankOf(b))
  return (
    <Panel title="Mandates" actions={create} isFlush>
      <Table label="Mandates" columns={columns}>
        {sorted.map((mandate) => (
          <MandateRow key={mandate.id} mandate={mandate} />
        ))}
      </Table>
      <p className={styles.foot}>
        Results of the current windows.{' '}
        <PageLink to={toPage(`records/${family}`)}>All records</PageLink>
      </p>
    </Panel>
  )
}

const columns = ['Mandate', 'Maker', 'Market', 'KPIs', 'Weakest evidence', 'Loan coverage', 'State']

function MandateRow({ mandate }: { mandate: MandateRecord }) {
  const { organizationId } = useMembership()
  const { id, status, payload } = mandate
  const { base, quote } = usePairTokens(payload.pair)
  const results = useQuery(evaluationsQuery(organizationId, mandate))
  const evaluations = results.data?.evaluations
  return (
    <Row
      title={
        <>
          <PageLink to={toRecord(family, id)}>{payload.title}</PageLink>{' '}
          <Simulated of={payload.pair} isShort />
        </>
      }
      cells={{
        Maker: payload.marketMaker.name,
        Market: `${base.symbol}/${quote.symbol}`,
        KPIs:
          status === 'DRAFT' ? (
            <Missing reason="A draft is not measured." />
          ) : results.error ? (
            <Missing reason="The results could not be loaded." />
          ) : evaluations ? (
            <Verdicts evaluations={evaluations} />
          ) : (
            'Loading…'
          ),
        'Weakest evidence': trustCell(evaluations),
        'Loan coverage': loanCell(payload, evaluations),
        State: <State of={status} />,
      }}
    />
  )
}

type Evaluations = contract.MandateEvaluations['evaluations']

/** The worst verdict as a mark, and the count of each. */
function Verdicts({ evaluations }: { evaluations: Evaluations }) {
  const worst = (['BREACHED', 'INDETERMINATE', 'MET'] as const).find((verdict) =>
    evaluations.some((one) => one.verdict === verdict),
  )
  const text = countsText(evaluations)
  return worst === undefined ? text : <State of={worst} text={text} />
}

function trustCell(evaluations: Evaluations | undefined) {
  const trust = weakestTrust(evaluations ?? [])
  return trust === null ? <Missing reason="No evidence in the current windows." /> : sentence(trust)
}

const sentence = (trust: contract.TrustClass) =>
  trustTexts[trust].replace(/^./, (first) => first.toUpperCase())

function loanCell({ kpis }: contract.MarketMakerMandate, evaluations: Evaluations | undefined) {
  const kpi = kpis.find(({ metric }) => metric === 'LOAN_COVERAGE_PIPS')
  if (!kpi) return 'No loan'
  const observed = evaluations?.find(({ kpiId }) => kpiId === kpi.kpiId)?.observed
  return observed === null || observed === undefined ? (
    <Missing reason="No loan reading in the current window." />
  ) : (
    percentOf(BigInt(observed))
  )
}
