import { readFileSync, writeFileSync } from 'node:fs'
import { resourceUsage } from 'node:process'
import { readConfig } from '../../apps/server/src/config.ts'
import { openDatabase } from '../../apps/server/src/context.ts'
import { loadFamilies } from '../../apps/server/src/families.ts'
import { verifyHistory } from '../../apps/server/src/history/verify-history.ts'
import { Artifacts } from '../../apps/server/src/store/artifacts/artifacts.ts'

/**
 * Verifies every history of a database once, and says how long it took and how much memory there ever was: the whole, which it writes
 * down as `CHECKPOINT`, or what came since one of `SINCE`.
 */
const config = readConfig({ LOG_LEVEL: 'error', ...process.env })
const { SINCE: since, CHECKPOINT: checkpoint } = process.env
const database = await openDatabase(config)
const start = performance.now()
const report = await verifyHistory(
  database,
  null,
  new Artifacts(database, config),
  await loadFamilies(),
  since ? JSON.parse(readFileSync(since, 'utf8')) : null,
)
const seconds = (performance.now() - start) / 1000
if (checkpoint) writeFileSync(checkpoint, JSON.stringify(report.until))
await database.close()
process.stdout.write(
  `${JSON.stringify({
    records: report.records,
    faults: report.faults.length,
    seconds,
    peakMegabytes: resourceUsage().maxRSS / 1024,
  })}\n`,
)
