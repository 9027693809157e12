"""What owners write, in their languages: each line has to reach the agent."""

from __future__ import annotations

INSTRUCTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "en": (
        ("Thanks, now also change the phone number to 555 0199.",),
        ("Looks good! Three more things:", "", "- soup of the day: pumpkin", "- bread: 3.20", "- we close at 6 pm"),
        ("New opening hours:", "", "From: 10:00", "To: 18:00", "Sunday: closed"),
        ("Hi,", "", "please swap the two photos on the first page.", "", "Best wishes", "Scott"),
        ("Put these on the page:", "", "> Best bread in town!", "> Ann, a guest", "", "and thank them."),
        ("The soup is 4.50 now.", "-- ", "Please also remove the old photo."),
        ("On Sunday we open at 10:00, please add this:", "Brunch every Sunday", "Price: 18", "Book: 555 0199"),
    ),
    "de": (
        ("Danke, und bitte noch die Telefonnummer auf 555 0199 ändern.",),
        ("Bitte ergänzen:", "", "- Kürbissuppe 4,50 €", "- Brötchen 0,60 €", "- montags geschlossen"),
        ("Neue Zeiten:", "", "Von: 10:00", "Bis: 18:00", "Grüße", "Jörg"),
        ("Die Mittagskarte:", "> Kürbissuppe 4,50 €", "> Käsespätzle 9,80 €"),
        ("Die Suppe kostet 4,50 €.", "-- ", "Bitte auch das alte Foto entfernen."),
        ("Am Sonntag öffnen wir um 10:00, bitte so schreiben:", "Brunch jeden Sonntag", "Preis: 18 Euro"),
        ("Das Foto vom Team bitte größer.", "", "Und der Satz „Wir backen täglich“ gehört nach oben."),
    ),
    "fr": (
        ("Merci, et changez aussi le numéro de téléphone : 01 23 45 67 89.",),
        ("Ajoutez s'il vous plaît :", "", "- soupe du jour", "- pain complet", "- fermé le lundi"),
        ("Ajoutez cet avis :", "> Le meilleur pain de la ville", "> Zoé, cliente"),
        ("La soupe coûte 4,50 €.", "-- ", "Supprimez aussi la vieille photo."),
        ("Nouveaux horaires :", "", "De : 10:00", "À : 18:00"),
        ("Bonjour,", "", "la photo de l'équipe est trop petite.", "Mettez-la en haut.", "", "Cordialement", "Zoé"),
    ),
    "es": (
        ("Gracias, y cambia también el teléfono al 555 0199.",),
        ("Añade por favor:", "", "- sopa del día", "- pan integral", "- cerrado los lunes"),
        ("El menú de mañana:", "> sopa 4,50 €", "> paella 12 €"),
        ("La sopa cuesta 4,50 €.", "-- ", "Y quita también la foto vieja."),
        ("Nuevo horario:", "", "De: 10:00", "A: 18:00"),
        ("¿Puedes poner la foto más grande?", "", "Y el texto “Abrimos mañana” arriba.", "", "Un saludo", "José"),
    ),
    "it": (
        ("Grazie, e cambia anche il numero di telefono: 555 0199.",),
        ("Aggiungi per favore:", "", "- zuppa del giorno", "- pane integrale", "- chiuso il lunedì"),
        ("Nuovi orari:", "", "Dalle: 10:00", "Alle: 18:00"),
        ("La foto della squadra è troppo piccola.", "Mettila in alto.", "", "Saluti", "Niccolò"),
    ),
    "nl": (
        ("Bedankt, en verander ook het telefoonnummer in 555 0199.",),
        ("Graag toevoegen:", "", "- soep van de dag", "- volkorenbrood", "- maandag gesloten"),
        ("Nieuwe tijden:", "", "Van: 10:00", "Tot: 18:00"),
        ("De foto van het team mag groter.", "", "Groeten", "Daniëlle"),
    ),
    "pt": (
        ("Obrigado, e mude também o telefone para 555 0199.",),
        ("Acrescente por favor:", "", "- sopa do dia", "- pão integral", "- fechado à segunda"),
        ("Novo horário:", "", "De: 10:00", "Até: 18:00"),
        ("A foto da equipa está pequena demais.", "", "Abraço", "João"),
    ),
    "sv": (
        ("Tack, och ändra telefonnumret till 555 0199 också.",),
        ("Lägg till:", "", "- dagens soppa", "- fullkornsbröd", "- stängt på måndagar"),
        ("Nya tider:", "", "Från: 10:00", "Till: 18:00"),
        ("Bilden på laget får gärna vara större.", "", "Hälsningar", "Åsa"),
    ),
    "pl": (
        ("Dziękuję, proszę też zmienić telefon na 555 0199.",),
        ("Proszę dodać:", "", "- zupa dnia", "- chleb razowy", "- w poniedziałki zamknięte"),
        ("Nowe godziny:", "", "Od: 10:00", "Do: 18:00"),
        ("Zdjęcie zespołu jest za małe.", "", "Pozdrawiam", "Łukasz"),
    ),
    "ru": (
        ("Спасибо, и ещё поменяйте телефон на 555 0199.",),
        ("Добавьте, пожалуйста:", "", "- суп дня", "- хлеб", "- понедельник выходной"),
        ("Новые часы:", "", "От: 10:00", "До: 18:00"),
        ("Фотография команды слишком маленькая.", "", "С уважением", "Анна"),
    ),
    "ja": (
        ("ありがとうございます。電話番号も 555 0199 に変更してください。",),
        ("追加してください。", "", "- 本日のスープ", "- 全粒粉パン", "- 月曜定休"),
        ("新しい営業時間:", "", "開店: 10:00", "閉店: 18:00"),
        ("チームの写真をもっと大きくしてください。", "よろしくお願いします。"),
    ),
    "zh": (
        ("谢谢，请把电话号码也改成 555 0199。",),
        ("请添加：", "", "- 今日例汤", "- 全麦面包", "- 周一休息"),
        ("新的营业时间：", "", "开门: 10:00", "关门: 18:00"),
        ("团队的照片太小了，请放大。", "谢谢！"),
    ),
}
