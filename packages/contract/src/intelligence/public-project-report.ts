import Type, { type Static } from 'typebox'
import { Block, Gap } from '../envelope.ts'
import { closed, Hash, list, named, oneOf, orNull, RecordId } from '../scalars.ts'
import { ProjectChange } from './projects.ts'
import { TokenKey } from './public-facts.ts'
import { Narrative, researchStates } from './research-report.ts'
import { WorkflowRun } from './workflows.ts'

const Version = Type.Integer({ minimum: 1, maximum: 999_999_999 })

/**
 * Maximum number of observations to compare. A request with more is rejected with a specific error.
 */
export const mostObservations = 2

export const ProjectSubject = named(
  'ProjectSubject',
  closed(
    {
      projectId: RecordId,
      observations: list(Version, 16, {
        minItems: 1,
        description: 'Numbers of one or two observations of the project, each once.',
      }),
    },
    { description: 'A stored observation of a saved project; no chain read.' },
  ),
)
export type ProjectSubject = Static<typeof ProjectSubject>

/** Statement of a report by number of samples, regardless of its content. */
export const sampleStatements = {
  one: 'one saved sample; no continuous measurement',
  two: 'two saved samples; neither a continuous measurement nor a cause',
} as const

const { workflow, state, reasons, sections } = WorkflowRun.properties
const Section = sections.items
const Finding = Section.properties.findings.items
const { pointer: _, subject: __, ...figure } = Finding.properties.figures.items.properties

const ConcludedFigure = closed(
  {
    name: Type.String({ maxLength: 60 }),
    ...figure,
    evidenceId: orNull(RecordId),
    pointer: orNull(
      Type.String({ maxLength: 250, description: 'Into the sealed observation, RFC 6901.' }),
    ),
  },
  {
    description:
      'A figure of an observation and its location in it. Computed figures have no location; each read of the result recomputes them.',
  },
)

/** Summary of frozen observations of a public token, without further claims. */
export const PublicProjectReport = named(
  'PublicProjectReport',
  closed({
    reportVersion: Type.Literal('public-project-report-v1'),
    state: oneOf(
      researchStates,
      'COMPLETED: every requested figure is present. PARTIAL: some are missing. ABSTAINED: no observation has data on pools or token control.',
    ),
    reasons: list(Type.String({ maxLength: 80 }), 16),
    question: orNull(Type.String()),
    projectId: RecordId,
    assetKey: TokenKey,
    observations: list(
      closed({
        version: Version,
        evidenceId: RecordId,
        analysisHash: Hash,
        state: oneOf(['COMPLETED', 'PARTIAL'], 'State of the observed analysis.'),
        blocks: list(Block, 8, { description: 'Finalized blocks read.' }),
      }),
      mostObservations,
      { minItems: 1, description: 'The earlier first.' },
    ),
    captureHash: Hash,
    conclusions: list(
      closed({
        workflow,
        versions: list(Version, mostObservations, { minItems: 1 }),
        state,
        reasons,
        sections: list(
          closed({
            ...Section.properties,
            findings: list(
              closed({ ...Finding.properties, figures: list(ConcludedFigure, 8) }),
              64,
            ),
          }),
          8,
        ),
      }),
      3,
      { description: 'Findings of each observation, and the comparison of two.' },
    ),
    changes: list(ProjectChange, 256, {
      description: 'Between two observations, by pointer; empty of one.',
    }),
    gaps: list(Gap, 64),
    limitations: list(Type.String({ maxLength: 400 }), 32),
    statement: Type.Union([Type.Literal(sampleStatements.one), Type.Literal(sampleStatements.two)]),
    narrative: Narrative,
  }),
)
export type PublicProjectReport = Static<typeof PublicProjectReport>
