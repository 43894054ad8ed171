/**
 * Sends the service's emails. Every method rejects with MailError if the email was not handed over.
 */
export interface Mailer {
  sendSignInLink(mail: SignInLinkMail): Promise<void>
  sendInvitation(mail: InvitationMail): Promise<void>
  sendPasskey(mail: PasskeyMail): Promise<void>
  sendDeliveryDeadLetter(mail: DeliveryDeadLetterMail): Promise<void>
  sendAlert(mail: AlertMail): Promise<void>
  close(): void
}

export interface SignInLinkMail {
  readonly to: string
  readonly link: string
  readonly expiresAt: Date
  readonly organizationName?: string
}

export interface InvitationMail {
  readonly to: string
  readonly organizationName: string
  readonly role: string
  /** Reason that the owner stated, or an empty text. */
  readonly reason: string
  readonly address: string
  /** When the invitation expires; null for a member whose role changed. */
  readonly expiresAt: Date | null
}

export interface PasskeyMail {
  readonly to: string
  /** As the person called it. */
  readonly name: string
  readonly isAdded: boolean
  readonly address: string
}

export interface DeliveryDeadLetterMail {
  readonly to: string
  readonly webhookId: string
  readonly messageId: string
  readonly url: string
  /** Page of the webhook in the console. */
  readonly address: string
  readonly attempts: number
}

export interface AlertMail {
  readonly to: string
  /** Message ID, which lets a reader recognize duplicates. */
  readonly messageId: string
  readonly subject: string
  readonly text: string
}
