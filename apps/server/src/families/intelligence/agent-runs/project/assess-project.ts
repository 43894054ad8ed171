import { contract } from '@liquidity-os/contract'
import { changesBetween } from '../../projects/api.ts'
import { type Conclusion, liquidityComparison, projectHealth } from '../../workflows/api.ts'
import { type Material, type Sealed, sealedOf } from '../assessed/documents.ts'
import type { AssessmentOf } from '../assessed/report-kind.ts'
import { projectRequestOf } from './material.ts'

type Report = contract.PublicProjectReport
type Concluded = Report['conclusions'][number]
type Figure = Concluded['sections'][number]['findings'][number]['figures'][number]
type Observed = Sealed<contract.ProjectObservation>
type Analysis = contract.PublicProjectAnalysis

/** The report without its sentences. */
export type Assessment = AssessmentOf<Report>

/**
 * Combines observations into conclusions per workflow. Pure: equal observations give an equal
 * assessment at any time.
 */
export function assessProject(material: Material): Assessment {
  const { subject, question } = projectRequestOf(material)
  const observed = sealedOf<contract.ProjectObservation>(material, 'ProjectObservation').toSorted(
    (a, b) => a.record.payload.version - b.record.payload.version,
  )
  const [first, second] = observed
  if (!first) throw new Error('The run has no sealed observation.')
  const analyses = observed.map(({ record }) => record.payload.analysis)
  const found = conclude(observed)
  const isAbstained = analyses.every(isUntold)
  const reasons = [...new Set(found.flatMap(({ conclusion }) => conclusion.reasons))]
  return {
    reportVersion: 'public-project-report-v1',
    state: isAbstained ? 'ABSTAINED' : reasons.length > 0 ? 'PARTIAL' : 'COMPLETED',
    reasons: isAbstained ? ['NOTHING_TOLD', ...reasons] : reasons,
    question,
    projectId: subject.projectId,
    assetKey: first.record.payload.analysis.assetKey,
    observations: observed.map(({ evidenceId, record: { payload } }) => ({
      version: payload.version,
      evidenceId,
      analysisHash: payload.analysis.analysisHash,
      state: payload.analysis.state,
      blocks: payload.analysis.blocks,
    })),
    captureHash: material.captureHash as Report['captureHash'],
    conclusions: isAbstained ? [] : found.map(concluded),
    changes:
      second && !isAbstained
        ? changesBetween(first.record.payload.analysis, second.record.payload.analysis).slice(
            0,
            maxChanges,
          )
        : [],
    gaps: gapsOf(observed),
    limitations: [...new Set(found.flatMap(({ conclusion }) => conclusion.limitations))],
    statement: second ? contract.sampleStatements.two : contract.sampleStatements.one,
  }
}

const maxChanges = 256

/** True if neither the pools nor the control of the token could be read. */
const isUntold = ({ pools, control, gaps }: Analysis): boolean =>
  pools.length === 0 &&
  gaps.some(({ pointer }) => pointer.startsWith('/pools')) &&
  Object.values(control).every(({ value }) => value === null)

interface Of {
  readonly workflow: Concluded['workflow']
  readonly observed: readonly Observed[]
  readonly conclusion: Conclusion
}

function conclude(observed: readonly Observed[]): Of[] {
  const analysisOf = ({ record }: Observed) => record.payload.analysis
  const alone = observed.map(
    (one): Of => ({
      workflow: 'PROJECT_HEALTH',
      observed: [one],
      conclusion: projectHealth(analysisOf(one)),
    }),
  )
  const [first, second] = observed
  if (!first || !second) return alone
  const conclusion = liquidityComparison(analysisOf(first), analysisOf(second))
  return [...alone, { workflow: 'LIQUIDITY_COMPARISON', observed, conclusion }]
}

/** A conclusion whose figures cite their sealed observation. */
function concluded({ workflow, observed, conclusion }: Of): Concluded {
  const { state, reasons, sections } = conclusion
  return {
    workflow,
    versions: observed.map(({ record }) => record.payload.version),
    state,
    reasons,
    sections: sections.map((section) => ({
      ...section,
      findings: section.findings.map((finding) => ({
        ...finding,
        figures: finding.figures.map((figure) => citedFigure(figure, observed)),
      })),
    })),
  }
}

type WorkflowFigure = Conclusion['sections'][number]['findings'][number]['figures'][number]

/** Cites the evidence of a fact. Computed values have no pointer. */
function citedFigure(
  { pointer, value, unit, subject }: WorkflowFigure,
  observed: readonly Observed[],
): Figure {
  const from = pointer === '' || subject === null ? undefined : observed[subject]
  return {
    name: pointer.split('/').at(-1) || 'computed',
    value,
    unit,
    evidenceId: from?.evidenceId ?? null,
    pointer: from ? `/payload/analysis${pointer}/value` : null,
  }
}

const maxGaps = 64

/** Gaps of the observations. If the list is cut, a final gap states the number omitted. */
function gapsOf(observed: readonly Observed[]): Report['gaps'] {
  const all = observed.flatMap(({ record: { payload } }) =>
    payload.analysis.gaps.map(({ code, pointer, detail }) => ({
      code,
      detail: `Observation ${payload.version}, ${pointer}: ${detail}`.slice(0, 500),
    })),
  )
  if (all.length <= maxGaps) return all
  const shown = all.slice(0, maxGaps - 1)
  const detail = `${all.length - shown.length} more stand in the observations.`
  return [...shown, { code: 'GAPS_CUT', detail }]
}
