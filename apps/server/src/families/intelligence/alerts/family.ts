import { contract } from '@liquidity-os/contract'
import type { Family } from '../../family.ts'
import { dropWaiting, forgetMessages } from './messages/queue-messages.ts'
import { channels, notices, rules } from './records.ts'
import { forgetFirings } from './thresholds/firings.ts'

export const family: Family = {
  contracts: [contract.alertFamily, contract.alertChannelFamily, contract.alertRuleFamily],
  operations: {
    listAlertsV2: () => import('./listAlertsV2.ts'),
    acknowledgeAlert: () => import('./acknowledgeAlert.ts'),
    muteAlert: () => import('./muteAlert.ts'),
    listAlertChannels: channels.list(contract.listAlertChannels),
    getAlertChannel: channels.get(contract.getAlertChannel),
    createAlertChannel: () => import('./createAlertChannel.ts'),
    supersedeAlertChannel: () => import('./supersedeAlertChannel.ts'),
    listAlertRules: rules.list(contract.listAlertRules),
    getAlertRule: rules.get(contract.getAlertRule),
    createAlertRule: () => import('./createAlertRule.ts'),
    supersedeAlertRule: () => import('./supersedeAlertRule.ts'),
    previewAlertRule: () => import('./previewAlertRule.ts'),
    listAlertRuleFirings: () => import('./listAlertRuleFirings.ts'),
    testAlertChannel: () => import('./testAlertChannel.ts'),
  },
  kinds: [notices.kind, channels.kind, rules.kind],
  departures: [
    channels.departure({
      outcome: 'PAUSED',
      title: ({ label }) => label,
      event: 'alert_channel.paused',
      statements: ({ id }, { organizationId }) => [dropWaiting(organizationId, id)],
    }),
  ],
  sweeps: [
    {
      what: 'alerts',
      everyMilliseconds: ({ alertSweepSeconds }) => alertSweepSeconds * 1000,
      run: async (services) => (await import('./alert-sweep.ts')).sweepAlerts(services),
    },
  ],
  dispatches: async (services) =>
    new (await import('./messages/message-dispatcher.ts')).MessageDispatcher(services),
  retention: (now) => [...forgetMessages(now), ...forgetFirings(now)],
}
