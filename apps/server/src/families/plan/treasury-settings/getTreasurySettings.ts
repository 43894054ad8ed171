import { contract } from '@liquidity-os/contract'
import { handle } from '../../../http/handler.ts'
import { settingsView, treasurySettingsOf } from './current-settings.ts'

export default handle(contract.getTreasurySettings, async ({ records }) => {
  const settings = await treasurySettingsOf(records)
  return { data: settingsView(settings), etag: settings.resourceVersion }
})
