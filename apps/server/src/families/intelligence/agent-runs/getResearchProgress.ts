import { contract } from '@liquidity-os/contract'
import { handle, type Outcome } from '../../../http/handler.ts'
import { integerOf } from '../../../store/database/row.ts'
import { sql } from '../../../store/database/sql.ts'
import { trialKind } from './advance-run.ts'
import { allowedCommands } from './run-course.ts'
import { requireRun } from './serialize-run.ts'

const whole = 1_000_000

export default handle(
  contract.getResearchProgress,
  async ({ params, records, organizationId }): Promise<Outcome> => {
    const record = await requireRun(records, params.runId)
    const { phase, capture, captureHash, trials, budget, usage } = record.payload
    const [rows = []] = await records.query([
      sql`select progress_pips from jobs where organization_id = ${organizationId} and kind = ${trialKind}
        and subject_id = ${record.id} and status in ('QUEUED', 'RUNNING') order by created_at desc limit 1`,
    ])
    const underWay = rows[0] ? integerOf(rows[0], 'progress_pips') : 0
    const progressOf = (state: string) =>
      state === 'PENDING' ? 0 : state === 'RUNNING' ? underWay : whole
    return {
      data: {
        phase,
        capture: capture && {
          captureHash,
          items: capture.items.length,
          coveragePips: capture.coveragePips,
          gaps: capture.gaps,
        },
        trials: trials.map((trial) => ({ ...trial, progressPips: progressOf(trial.state) })),
        budget: {
          maximumSteps: budget.maximumSteps,
          maximumSeconds: budget.maximumSeconds,
          usedSteps: usage.steps,
          usedMilliseconds: usage.milliseconds,
        },
        allowedCommands: allowedCommands(record),
      },
    }
  },
)
