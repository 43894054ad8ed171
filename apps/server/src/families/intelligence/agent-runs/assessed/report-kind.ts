import type { contract } from '@liquidity-os/contract'
import type { JobEnd, JobRun } from '../../../../jobs/job-run.ts'
import type { Current } from '../../../../store/records/tenant-records.ts'
import type { Edition } from '../edition.ts'
import type { Run } from '../records.ts'
import type { CitedFigure } from './cited-figures.ts'
import type { Material } from './documents.ts'

/** A report that assesses its sealed evidence without further requests. */
export type AssessmentReport = Exclude<contract.AgentRunResult['report'], contract.ResearchReport>

/** A report without its sentences. */
export type AssessmentOf<Report> = Omit<Report, 'narrative'>

/** The parts that differ between kinds of runs. */
export interface AssessmentKind<Report extends AssessmentReport = AssessmentReport> {
  /** Used in hash tags and in the draft version. */
  readonly tag: 'health' | 'proposal-review' | 'public-project'
  /** Reads everything once, seals it, and settles the step. */
  readonly capture: (run: JobRun, current: Current<Run>) => Promise<JobEnd>
  /** Assesses sealed evidence. Pure: equal captures and editions give equal assessments. */
  readonly assess: (material: Material, edition: Edition) => AssessmentOf<Report>
  /** The sentences of an assessment, from templates. */
  readonly write: (assessment: AssessmentOf<Report>) => contract.GroundedSentence[]
  /** All figures that cite their evidence. */
  readonly figures: (assessment: AssessmentOf<Report>) => readonly CitedFigure[]
}
