import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'

export const family: Family = {
  contracts: [contract.studyReportFamily],
  operations: {
    listStudyReportJobs: () => import('./listStudyReportJobs.ts'),
    createSignedStudyReport: () => import('./createSignedStudyReport.ts'),
    downloadStudyReport: () => import('./downloadStudyReport.ts'),
    readStudySeries: () => import('./readStudySeries.ts'),
  },
  pictures: () => import('./pictures.ts'),
  jobs: { STUDY_REPORT: { run: () => import('./study-report-job.ts') } },
}
