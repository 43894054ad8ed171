import type { contract } from '@liquidity-os/contract'
import type { AssessmentReport } from './assessed/report-kind.ts'
import { wordsOf } from './drawn.ts'

/** A subject, its verdict and its findings. */
export interface Lane {
  readonly name: string
  /** Null if no verdict was possible. A lane without verdicts by design is not assessed. */
  readonly verdict: string | null
  readonly isAssessed: boolean
  readonly findings: readonly Found[]
}

interface Found {
  readonly code: string
  readonly severity?: string
  readonly figures: readonly { readonly name: string; readonly value: string }[]
}

interface ReportSummary {
  readonly title: string
  readonly description: string
  readonly head: string
  readonly lanes: readonly Lane[]
  readonly foot: string | null
}

/** Title, lanes and statement of an assessment. */
export function summarizeReport(report: AssessmentReport): ReportSummary {
  switch (report.reportVersion) {
    case 'health-report-v1':
      return { ...summarizeAreas('Health', report), foot: null }
    case 'proposal-review-report-v1': {
      const summary = summarizeAreas('Proposal review', report)
      return {
        ...summary,
        lanes: [...summary.lanes, ...extensionAreas(report)],
        foot: report.statement,
      }
    }
    case 'public-project-report-v1':
      return summarizeProject(report)
  }
}

function summarizeAreas(
  about: string,
  report: contract.HealthReport | contract.ProposalReviewReport,
): Omit<ReportSummary, 'foot'> {
  const { asOf, state, verdict } = report
  return {
    title: `${about} as of ${asOf}`,
    description: `${state}. ${report.areas.map((one) => `${one.area}: ${one.verdict ?? 'no verdict'}.`).join(' ')}`,
    head: `${wordsOf(verdict ?? state)}, as of ${asOf}`,
    lanes: report.areas.map((one) => ({
      name: one.area,
      verdict: one.verdict,
      isAssessed: true,
      findings: one.findings,
    })),
  }
}

const unevaluated = (name: string, findings: readonly Found[]): Lane => ({
  name,
  verdict: null,
  isAssessed: false,
  findings,
})

function extensionAreas({
  disagreements,
  unanswered,
  since,
}: contract.ProposalReviewReport): Lane[] {
  const changes = (since?.changes ?? []).map(({ code, before, after }) => ({
    code,
    figures: [before, after].flatMap((figure) => figure ?? []),
  }))
  return [
    unevaluated('TEXT_AND_CALLS', disagreements),
    unevaluated('UNANSWERED', unanswered),
    unevaluated('SINCE_BEFORE', changes),
  ]
}

/** One lane per section and conclusion. Figures use the units of the observations. */
function summarizeProject({
  state,
  assetKey,
  observations,
  conclusions,
  changes,
  statement,
}: contract.PublicProjectReport): ReportSummary {
  const read = observations.map(
    ({ version, blocks }) => `${version} at block ${blocks.map(({ number }) => number).join(', ')}`,
  )
  const parts = conclusions.flatMap(({ sections, versions }) =>
    sections.map(({ id, findings }) =>
      unevaluated(
        `${id} ${versions.join(', ')}`,
        findings.map(({ code, figures }) => ({
          code,
          figures: figures.map(({ name, value, unit }) => ({
            name,
            value: unit === 'TEXT' ? value : `${value} ${wordsOf(unit)}`,
          })),
        })),
      ),
    ),
  )
  const changed = changes.map(({ pointer, kind, before, after }) => ({
    code: kind,
    figures: [{ name: pointer, value: `${before ?? 'nothing'} to ${after ?? 'nothing'}` }],
  }))
  return {
    title: `Observations of ${assetKey}`,
    description: `${state}. Observations ${read.join(' and ')}: ${statement}.`,
    head: `${wordsOf(state)}, from observation ${read.join(' and ')}`,
    lanes: [...parts, ...(observations.length > 1 ? [unevaluated('CHANGES', changed)] : [])],
    foot: statement,
  }
}
