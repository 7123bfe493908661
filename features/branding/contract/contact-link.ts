/** Where a contact leads that is an email or web address; null: it is a text alone, such as a room. */
export function contactLink(contact: string): string | null {
  if (/^https?:\/\/[^\s@]+$/i.test(contact)) return contact;
  if (/^[^\s@<>"?&]+@[^\s@<>"?&]+\.[^\s@<>"?&]+$/.test(contact)) return `mailto:${contact}`;
  const number = contact.replaceAll(/[\s()./-]/g, '');
  return /^\+?\d{4,20}$/.test(number) ? `tel:${number}` : null;
}
