import { limits } from '../limits.ts'

/** The one form in which addresses are kept and compared, without regard to case. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/**
 * Whether a text, in its one form, is one address: nothing that a mail header or the SMTP envelope could read as more,
 * and no sign that is not seen, by which two addresses would look alike or read backwards.
 */
export function isEmail(text: string): boolean {
  const folded = foldEmail(text)
  // What is taken off when an address is folded was not part of it.
  return folded.length <= limits.mailAddressCharacters && text === text.trim() && one.test(folded)
}

const one = /^[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+@[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+$/u
