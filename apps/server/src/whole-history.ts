import { loadFamilies } from './families.ts'
import type { VerifiedHistory } from './history/verified-until.ts'
import {
  type HistoryFault,
  type HistoryReport,
  verifyHistory as verify,
} from './history/verify-history.ts'
import type { Artifacts } from './store/artifacts/artifacts.ts'
import type { Database } from './store/database/database.ts'

/** Walks until the faults of two walks agree, or a walk finds none. */
const maxWalks = 3

/**
 * Verifies the history of one or all organizations. A commit during a walk can look like a fault,
 * because a walk reads records before the rows derived from them. So only a fault that the next walk
 * finds too is reported.
 */
export async function verifyHistory(
  database: Database,
  organizationId: string | null,
  artifacts: Artifacts,
  since: VerifiedHistory | null = null,
): Promise<HistoryReport> {
  const families = await loadFamilies()
  const walk = () => verify(database, organizationId, artifacts, families, since)
  let report = await walk()
  for (let walks = 1; walks < maxWalks && report.faults.length > 0; walks += 1) {
    const before = new Set(report.faults.map(nameOf))
    report = await walk()
    const confirmed = report.faults.filter((fault) => before.has(nameOf(fault)))
    if (confirmed.length > 0) return { ...report, faults: confirmed }
  }
  return report
}

const nameOf = ({ organizationId, subject, message }: HistoryFault): string =>
  JSON.stringify([organizationId, subject, message])
