import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import { sql } from '../../../store/database/sql.ts'
import type { Family } from '../../family.ts'
import { purgeStudyHashes } from './paths/earlier-batches.ts'
import { studies } from './records.ts'
import { studyRunAudit } from './study-run-audit.ts'

export const family: Family = {
  contracts: [contract.studyFamily],
  operations: {
    runNonCustodialSandboxStudy: () => import('./runNonCustodialSandboxStudy.ts'),
    listStudies: studies.list(contract.listStudies),
    createStudies: () => import('./createStudies.ts'),
    getStudies: studies.get(contract.getStudies),
    readStudyProgress: () => import('./readStudyProgress.ts'),
    readStudyVerdict: () => import('./readStudyVerdict.ts'),
  },
  kinds: [studies.kind],
  jobs: {
    STUDY_RUN: {
      run: () => import('./study-run-job.ts'),
      cancelled: () => import('./cancelled-study.ts'),
    },
  },
  retention: (now) => [
    ...purgeStudyHashes(now - limits.studyOutcomeLifetimeMilliseconds),
    sql`delete from study_batches where created_at < ${now - limits.studyBatchLifetimeMilliseconds}`,
  ],
  jobAudit: studyRunAudit,
  checklist: [
    {
      place: 40,
      code: 'RUN_STUDY',
      type: 'SimulationStudy',
      title: 'Run the first study',
      why: 'It compares LP positions with HODL.',
      operationId: 'createStudies',
    },
  ],
}
