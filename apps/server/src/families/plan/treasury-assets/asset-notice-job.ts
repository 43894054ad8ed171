import type { contract } from '@liquidity-os/contract'
import type { JobEnd, JobRun } from '../../../jobs/job-run.ts'
import { type ChangeNotice, mailMembers, noticeOfChange } from '../treasury-settings/api.ts'

interface AssetNotice extends ChangeNotice {
  readonly about: contract.PendingAssetClass
  readonly assetKey: string
  readonly symbol: string | null
}

const names = {
  requested: 'A token will soon count as treasury money',
  loosened: 'A token now counts as treasury money',
  change: 'a class change of a treasury token',
  withdrawal: 'Declare the token as OWN_TOKEN to withdraw the change.',
}

/** Emails all members if a token leaves the own tokens, or a request for it exists. */
export default function notifyMembers(run: JobRun): Promise<JobEnd> {
  const notice = run.input as unknown as AssetNotice
  const { symbol, assetKey, about } = notice
  const token = symbol === null ? assetKey : `${symbol} (${assetKey})`
  const effects = [`${token} counts as ${about.class} and no longer as the own token.`]
  return mailMembers(run, (members) => noticeOfChange(names, notice, { effects, members }))
}
