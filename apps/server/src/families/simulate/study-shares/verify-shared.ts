import { contract } from '@liquidity-os/contract'
import { type ReportKind, withoutSignature } from '../study-reports/api.ts'
import { renderShared } from './render-shared.ts'
import { type SharedReport, sharedContentHash, signedSharedBytes } from './shared-report.ts'
import { sharedTerms } from './shared-words.ts'

export const sharedReportKind: ReportKind<SharedReport> = {
  schemaVersion: 'shared-study-report-v1',
  schema: contract.SharedStudyReport,
  contentHash: ({ contentHash: _hash, ...report }) => sharedContentHash(withoutSignature(report)),
  signedBytes: signedSharedBytes,
  rendered: async (report, format) => {
    if (format === 'xlsx') throw new Error('A shared study has no workbook')
    return renderShared(withoutSignature(report), format)
  },
  terms: ({ study }) => sharedTerms(study),
  about: ({ study: { name, state, resourceVersion } }) => ({
    name,
    state,
    subject: `data of a study shared by link, version ${resourceVersion}`,
  }),
}
