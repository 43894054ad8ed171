import { contract } from '@liquidity-os/contract'
import { limits } from '../../../limits.ts'
import type { Family } from '../../family.ts'
import { domainCheck } from './domains/domain-check.ts'
import { consents, domains, partners, preparations, submissions } from './records.ts'

export const family: Family = {
  contracts: [
    contract.partnerDomainFamily,
    contract.partnerTenantFamily,
    contract.partnerConsentFamily,
    contract.partnerPreparationFamily,
    contract.partnerSubmissionFamily,
    contract.brandFamily,
  ],
  operations: {
    listPartnerDomainChallenges: domains.list(contract.listPartnerDomainChallenges),
    createPartnerDomainChallenge: () => import('./domains/createPartnerDomainChallenge.ts'),
    getPartnerDomainChallenge: domains.get(contract.getPartnerDomainChallenge),
    getPartnerDomainStatus: () => import('./domains/getPartnerDomainStatus.ts'),
    verifyPartnerDomainChallenge: () => import('./domains/verifyPartnerDomainChallenge.ts'),
    provisionPartnerDomainChallenge: () => import('./domains/provisionPartnerDomainChallenge.ts'),
    revokePartnerDomainChallenge: () => import('./domains/revokePartnerDomainChallenge.ts'),
    listPartners: partners.list(contract.listPartners),
    createVerifiedPartnerTenant: () => import('./tenants/createVerifiedPartnerTenant.ts'),
    getPartners: partners.get(contract.getPartners),
    updatePartnerConfiguration: () => import('./tenants/updatePartnerConfiguration.ts'),
    revokePartnerTenant: () => import('./tenants/revokePartnerTenant.ts'),
    getPartnerConsentOptions: () => import('./consents/getPartnerConsentOptions.ts'),
    listPartnerConsents: consents.list(contract.listPartnerConsents),
    grantPartnerConsent: () => import('./consents/grantPartnerConsent.ts'),
    getPartnerConsents: consents.get(contract.getPartnerConsents),
    revokePartnerConsent: () => import('./consents/revokePartnerConsent.ts'),
    getPartnerPortfolio: () => import('./portfolio/getPartnerPortfolio.ts'),
    getPartnerPreparationContext: () => import('./preparations/getPartnerPreparationContext.ts'),
    preparePartnerProposal: () => import('./preparations/preparePartnerProposal.ts'),
    getPartnerPreparationReceiptRecovery: () =>
      import('./preparations/getPartnerPreparationReceiptRecovery.ts'),
    getPartnerPreparationStatus: () => import('./preparations/getPartnerPreparationStatus.ts'),
    listPartnerPreparations: () => import('./preparations/listPartnerPreparations.ts'),
    importPartnerPreparation: () => import('./preparations/importPartnerPreparation.ts'),
    declinePartnerPreparation: () => import('./preparations/declinePartnerPreparation.ts'),
    getVerifiedHostBrand: () => import('./brands/getVerifiedHostBrand.ts'),
    getVerifiedPartnerBrandLogo: () => import('./brands/getVerifiedPartnerBrandLogo.ts'),
  },
  kinds: [domains.kind, partners.kind, consents.kind, preparations.kind, submissions.kind],
  pictures: () => import('./pictures.ts'),
  jobs: { PARTNER_DOMAIN_CHECK: { run: () => import('./domains/domain-check-job.ts') } },
  schedules: [domainCheck],
  sweeps: [
    {
      what: 'partner domains',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) => (await import('./domains/domain-expiry.ts')).expireDomains(services),
    },
    {
      what: 'partner consents',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./consents/consent-expiry.ts')).expireConsents(services),
    },
    {
      what: 'partner preparations',
      everyMilliseconds: limits.sweepMilliseconds,
      run: async (services) =>
        (await import('./preparations/preparation-expiry.ts')).expirePreparations(services),
    },
  ],
}
