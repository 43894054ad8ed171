import { loadFamilies } from './families.ts'
import type { VerifiedHistory } from './history/verified-until.ts'
import { type HistoryReport, verifyHistory as verify } from './history/verify-history.ts'
import type { Artifacts } from './store/artifacts/artifacts.ts'
import type { Database } from './store/database/database.ts'

export async function verifyHistory(
  database: Database,
  organizationId: string | null,
  artifacts: Artifacts,
  since: VerifiedHistory | null = null,
): Promise<HistoryReport> {
  return verify(database, organizationId, artifacts, await loadFamilies(), since)
}
