import type { contract } from '@liquidity-os/contract'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { type ChangeNotice, mailMembers, noticeOfChange } from '../treasury-settings/api.ts'

interface AssetNotice extends ChangeNotice {
  readonly about: contract.PendingAssetClass
  readonly assetKey: string
  readonly symbol: string | null
}

const names = {
  requested: 'A token is about to count as money of the treasury',
  loosened: 'A token counts as money of the treasury now',
  change: 'a change of the class of a treasury token',
  withdrawal: 'Declaring the token as OWN_TOKEN withdraws it.',
}

/** Emails all members if a token leaves the own tokens, or a request for it exists. */
export default function notifyMembers(run: JobRun): Promise<JobEnd> {
  const notice = run.input as unknown as AssetNotice
  const { symbol, assetKey, about } = notice
  const token = symbol === null ? assetKey : `${symbol} (${assetKey})`
  const effects = [`${token} counts as ${about.class}, and no longer as the own token.`]
  return mailMembers(run, (members) => noticeOfChange(names, notice, { effects, members }))
}
