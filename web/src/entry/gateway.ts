// For the page that is shown when a request does not reach its application. The HTML is complete; this adds styles.
import '../ui/base.css';
import '../ui/font/font.css';
import '../ui/button.css';
import '#features/maintenance/web/maintenance-page.css';
import './maintenance-foot.css';

/*
 * The browser still holds a form that was refused: reloading this page sends the form again, and "back" shows the
 * page with the form. Both buttons need this script and are hidden without it.
 */
function offer(id: string, act: () => void): void {
  const button = document.querySelector<HTMLButtonElement>(`#${id}`);
  if (button === null) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    // Pressed twice, it would be sent twice.
    button.disabled = true;
    act();
  });
}

offer('send-again', () => window.location.reload());
offer('back', () => window.history.back());
