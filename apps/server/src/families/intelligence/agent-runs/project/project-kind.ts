import type { contract } from '@liquidity-os/contract'
import type { CitedFigure } from '../assessed/cited-figures.ts'
import type { AssessmentKind } from '../assessed/report-kind.ts'
import { type Assessment, assessProject } from './assess-project.ts'
import { captureProject } from './capture-project.ts'
import { writeProject } from './project-sentences.ts'

/** Result over the frozen observations of a public token. */
export const projectKind: AssessmentKind<contract.PublicProjectReport> = {
  tag: 'public-project',
  capture: captureProject,
  assess: assessProject,
  write: writeProject,
  figures: figuresOf,
}

function figuresOf({ conclusions }: Assessment): CitedFigure[] {
  return conclusions
    .flatMap(({ sections }) => sections.flatMap(({ findings }) => findings))
    .flatMap(({ figures }) => figures)
    .flatMap(({ name, value, evidenceId, pointer }) =>
      evidenceId === null || pointer === null ? [] : [{ name, value, evidenceId, pointer }],
    )
}
